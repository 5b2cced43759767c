/**
 * TCP ports worth asking a host about, by what listens there. Services by the IANA Service Name and Transport Protocol
 * Port Number Registry (RFC 6335) where it knows the port, else by common use.
 */

export interface PortGroup {
  category: string
  /** Port number to service. */
  services: Readonly<Record<number, string>>
}

export const portGroups: readonly PortGroup[] = [
  {
    category: 'Web',
    services: {
      80: 'http',
      443: 'https',
      3000: 'node/grafana dev',
      5000: 'dev / registry',
      8000: 'http-alt',
      8008: 'http-alt',
      8080: 'http-proxy',
      8081: 'http-alt',
      8443: 'https-alt',
      8888: 'http-alt',
      9000: 'php-fpm / portainer',
      9443: 'https-alt',
    },
  },
  {
    category: 'Email',
    services: {
      25: 'smtp',
      110: 'pop3',
      143: 'imap',
      465: 'submissions',
      587: 'submission',
      993: 'imaps',
      995: 'pop3s',
      2525: 'smtp-alt',
      4190: 'managesieve',
    },
  },
  {
    category: 'Remote Access',
    services: {
      22: 'ssh',
      23: 'telnet',
      512: 'exec',
      513: 'login',
      514: 'shell',
      2222: 'ssh-alt',
      3389: 'rdp',
      5900: 'vnc',
      5901: 'vnc-1',
      5985: 'winrm',
      5986: 'winrm-https',
    },
  },
  {
    category: 'File Transfer',
    services: {
      20: 'ftp-data',
      21: 'ftp',
      69: 'tftp (UDP service; TCP probe only)',
      115: 'sftp-simple',
      139: 'netbios-ssn',
      445: 'microsoft-ds',
      548: 'afp',
      873: 'rsync',
      989: 'ftps-data',
      990: 'ftps',
      2049: 'nfs',
    },
  },
  {
    category: 'Database',
    services: {
      1433: 'ms-sql',
      1521: 'oracle',
      3306: 'mysql',
      5432: 'postgresql',
      5984: 'couchdb',
      6379: 'redis',
      7474: 'neo4j',
      8086: 'influxdb',
      9042: 'cassandra',
      9200: 'elasticsearch',
      9300: 'elasticsearch-transport',
      11211: 'memcached',
      27017: 'mongodb',
      28015: 'rethinkdb',
    },
  },
  {
    category: 'DNS and Directory',
    services: {
      53: 'dns',
      88: 'kerberos',
      389: 'ldap',
      636: 'ldaps',
      853: 'dns-over-tls',
      3268: 'ldap-gc',
      3269: 'ldaps-gc',
    },
  },
  {
    category: 'Infrastructure and Containers',
    services: {
      111: 'rpcbind',
      135: 'msrpc',
      161: 'snmp (UDP service)',
      179: 'bgp',
      2375: 'docker',
      2376: 'docker-tls',
      2379: 'etcd',
      2380: 'etcd-peer',
      4243: 'docker-alt',
      5601: 'kibana',
      6443: 'kubernetes-api',
      8500: 'consul',
      9090: 'prometheus / cockpit',
      10250: 'kubelet',
    },
  },
  {
    category: 'Messaging and Queues',
    services: {
      1883: 'mqtt',
      4222: 'nats',
      5222: 'xmpp-client',
      5269: 'xmpp-server',
      5671: 'amqps',
      5672: 'amqp',
      6667: 'irc',
      8883: 'mqtts',
      9092: 'kafka',
      15672: 'rabbitmq-mgmt',
      61616: 'activemq',
    },
  },
  {
    category: 'VPN and Proxy',
    services: {
      1080: 'socks',
      1194: 'openvpn',
      1701: 'l2tp',
      1723: 'pptp',
      3128: 'squid',
      8118: 'privoxy',
      9050: 'tor-socks',
    },
  },
  {
    category: 'Media, VoIP and Games',
    services: {
      554: 'rtsp',
      1935: 'rtmp',
      5060: 'sip',
      5061: 'sips',
      8554: 'rtsp-alt',
      25565: 'minecraft',
      27015: 'source-engine',
    },
  },
  {
    category: 'Industrial and IoT',
    services: {
      102: 's7comm',
      502: 'modbus',
      1911: 'niagara-fox',
      4840: 'opc-ua',
      7547: 'cwmp',
      20000: 'dnp3',
      44818: 'ethernet-ip',
      47808: 'bacnet (UDP service)',
    },
  },
]

/** Every port of the groups, in ascending order. */
export const scannedPorts: readonly number[] = portGroups
  .flatMap(({ services }) => Object.keys(services).map(Number))
  .sort((a, b) => a - b)
