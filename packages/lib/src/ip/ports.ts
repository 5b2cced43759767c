/**
 * TCP ports worth a look, by what they are used for. Numbers and service names from the IANA Service Name and
 * Transport Protocol Port Number Registry (RFC 6335) and from the documentation of the programs that use them.
 */
export interface PortCategory {
  category: string
  ports: readonly (readonly [port: number, service: string])[]
}

// biome-ignore format: a table
export const portCategories: readonly PortCategory[] = [
  { category: 'Web', ports: [[80, 'http'], [443, 'https'], [3000, 'development server'], [5000, 'development server'], [8000, 'http-alt'], [8008, 'http-alt'], [8080, 'http-alt'], [8081, 'http-alt'], [8443, 'https-alt'], [8888, 'http-alt'], [9000, 'php-fpm'], [9443, 'https-alt']] },
  { category: 'Mail', ports: [[25, 'smtp'], [110, 'pop3'], [143, 'imap'], [465, 'submissions'], [587, 'submission'], [993, 'imaps'], [995, 'pop3s'], [2525, 'smtp-alt'], [4190, 'sieve']] },
  { category: 'Remote Access', ports: [[22, 'ssh'], [23, 'telnet'], [512, 'exec'], [513, 'login'], [514, 'shell'], [2222, 'ssh-alt'], [3389, 'rdp'], [5900, 'vnc'], [5901, 'vnc-1'], [5985, 'winrm'], [5986, 'winrm-https']] },
  { category: 'File Transfer', ports: [[20, 'ftp-data'], [21, 'ftp'], [69, 'tftp'], [115, 'sftp-simple'], [139, 'netbios-ssn'], [445, 'microsoft-ds'], [548, 'afp'], [873, 'rsync'], [989, 'ftps-data'], [990, 'ftps'], [2049, 'nfs']] },
  { category: 'Database', ports: [[1433, 'ms-sql'], [1521, 'oracle'], [3306, 'mysql'], [5432, 'postgresql'], [5984, 'couchdb'], [6379, 'redis'], [7474, 'neo4j'], [8086, 'influxdb'], [9042, 'cassandra'], [9200, 'elasticsearch'], [9300, 'elasticsearch-transport'], [11211, 'memcached'], [27017, 'mongodb'], [28015, 'rethinkdb']] },
  { category: 'DNS and Directory', ports: [[53, 'dns'], [88, 'kerberos'], [389, 'ldap'], [636, 'ldaps'], [853, 'dns-over-tls'], [3268, 'ldap-gc'], [3269, 'ldaps-gc']] },
  { category: 'Infrastructure', ports: [[111, 'rpcbind'], [135, 'msrpc'], [161, 'snmp'], [179, 'bgp'], [5601, 'kibana'], [8500, 'consul'], [9090, 'prometheus']] },
  { category: 'Containers', ports: [[2375, 'docker'], [2376, 'docker-tls'], [2379, 'etcd'], [2380, 'etcd-peer'], [4243, 'docker-alt'], [6443, 'kubernetes-api'], [10250, 'kubelet']] },
  { category: 'Messaging and Queues', ports: [[1883, 'mqtt'], [4222, 'nats'], [5222, 'xmpp-client'], [5269, 'xmpp-server'], [5671, 'amqps'], [5672, 'amqp'], [6667, 'irc'], [8883, 'mqtts'], [9092, 'kafka'], [15672, 'rabbitmq-management'], [61616, 'activemq']] },
  { category: 'VPN and Proxy', ports: [[1080, 'socks'], [1194, 'openvpn'], [1701, 'l2tp'], [1723, 'pptp'], [3128, 'squid'], [8118, 'privoxy'], [9050, 'tor-socks']] },
  { category: 'Media and Games', ports: [[554, 'rtsp'], [1935, 'rtmp'], [5060, 'sip'], [5061, 'sips'], [8554, 'rtsp-alt'], [25565, 'minecraft'], [27015, 'source-engine']] },
  { category: 'Industrial and IoT', ports: [[102, 's7comm'], [502, 'modbus'], [1911, 'niagara-fox'], [4840, 'opc-ua'], [7547, 'cwmp'], [20000, 'dnp3'], [44818, 'ethernet-ip'], [47808, 'bacnet']] },
]

/** Every port of the list once. */
export const listedPorts: readonly number[] = portCategories.flatMap(({ ports }) => ports.map(([port]) => port))
