# Run inside the network namespace of each machine: settings, then addresses and routes ($1), then a packet filter ($2).
cd /proc/sys/net || exit 1

# Duplicate address detection and the first neighbour retransmission would each cost a second.
for file in ipv6/conf/*/accept_dad; do echo 0 >"$file"; done
for file in ipv[46]/neigh/*/retrans_time_ms; do echo 30 >"$file"; done

echo 1 >ipv4/ip_forward
echo 1 >ipv6/conf/all/forwarding
for file in ipv4/conf/*/rp_filter; do echo 0 >"$file"; done

# Port scans and traceroutes want every ICMP answer.
echo 0 >ipv4/icmp_ratelimit
echo 0 >ipv6/icmp/ratelimit
echo 100000 >ipv4/icmp_msgs_per_sec 2>/dev/null || true
echo 100000 >ipv4/icmp_msgs_burst 2>/dev/null || true

# What programs without privileges may do on a server of today.
echo "0 2147483647" >ipv4/ping_group_range
echo 0 >ipv4/ip_unprivileged_port_start

set -e
ip -batch "$1"
if [ -n "$2" ]; then nft -f "$2"; fi
