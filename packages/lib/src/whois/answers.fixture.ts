/** Answers in the shapes of fourteen registries; names and people are made up. */
export const answers = {
  verisign: `   Domain Name: SHOP.COM
   Registry Domain ID: 1234_DOMAIN_COM-VRSN
   Registrar WHOIS Server: whois.registrar.test
   Registrar URL: http://www.registrar.test
   Updated Date: 2024-08-14T07:01:34Z
   Creation Date: 1995-08-14T04:00:00Z
   Registry Expiry Date: 2025-08-13T04:00:00Z
   Registrar: Lab Registrar, Inc.
   Registrar IANA ID: 9999
   Registrar Abuse Contact Email: abuse@registrar.test
   Registrar Abuse Contact Phone: +1.5550100
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited
   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited
   Name Server: NS1.SHOP.COM
   Name Server: NS2.SHOP.COM
   DNSSEC: signedDelegation
   DNSSEC DS Data: 370 13 2 BE74
   URL of the ICANN Whois Inaccuracy Complaint Form: https://www.icann.org/wicf/
>>> Last update of whois database: 2024-09-02T10:00:00Z <<<

For more information on Whois status codes, please visit https://icann.org/epp

NOTICE: The expiration date displayed in this record is the date the
registrar's sponsorship of the domain name registration expires.
TERMS OF USE: You are not authorized to access: high-volume queries`,
  nominet: `
    Domain name:
        shop.co.uk

    Data validation:
        Nominet was able to match the registrant's name and address

    Registrar:
        Lab Names Ltd [Tag = LABN]
        URL: https://labnames.test

    Relevant dates:
        Registered on: before Aug-1996
        Expiry date:  01-Aug-2025
        Last updated:  02-Jul-2024

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.shop.co.uk    192.0.2.1  2001:db8::1
        ns2.other.test

    WHOIS lookup made at 11:00:00 02-Sep-2024
`,
  denic: `% Restricted rights.
Domain: shop.de
Nserver: ns1.shop.de 192.0.2.1
Nserver: ns2.other.test
Dnskey: 257 3 8 AwEA
Status: connect
Changed: 2024-01-02T03:04:05+02:00`,
  jprs: `[ JPRS database provides information on network administration. ]

Domain Information:
[Domain Name]                   SHOP.JP

[Registrant]                    Lab Shop K.K.

[Name Server]                   ns1.shop.jp
[Name Server]                   ns2.shop.jp
[Signing Key]                   

[Created on]                    2001/02/03
[Expires on]                    2025/02/28
[Status]                        Active
[Last Updated]                  2024/03/01 01:05:05 (JST)

Contact Information:
[Name]                          Lab Shop Division
[Email]                         hostmaster@shop.jp`,
  br: `
domain:      shop.com.br
owner:       Padaria S\u00e3o Jo\u00e3o
ownerid:     00.000.000/0001-91
country:     BR
owner-c:     ABC123
tech-c:      DEF456
nserver:     a.dns.br
nsstat:      20240901 AA
nserver:     b.dns.br
created:     19980309 #12345
changed:     20240102
expires:     20250309
status:      published

nic-hdl-br:  ABC123
person:      Jo\u00e3o Silva
e-mail:      joao@shop.com.br
created:     19990101`,
  eurid: `% The WHOIS service offered by EURid
Domain: shop.eu
Script: LATIN

Registrant:
        NOT DISCLOSED!
        Visit www.eurid.eu for the web-based WHOIS.

Technical:
        Organisation: Lab Hosting BV
        Language: en
        Email: tech@hosting.test

Registrar:
        Name: Lab Registrar BV
        Website: https://registrar.test

Name servers:
        ns1.shop.eu (192.0.2.1)
        ns1.shop.eu (2001:db8::1)
        ns2.other.test

Keys:
        flags:KSK protocol:3 algorithm:RSA_SHA256 pubKey:AwEAA`,
  ru: `% TCI Whois Service.
domain:        SHOP.RU
nserver:       ns1.shop.ru. 192.0.2.1
nserver:       ns2.other.test.
state:         REGISTERED, DELEGATED, VERIFIED
org:           Lab LLC
registrar:     LAB-RU
admin-contact: https://www.lab.test/whois
created:       1997-09-23T09:45:07Z
paid-till:     2025-09-30T21:00:00Z
free-date:     2025-11-01
source:        TCI`,
  fr: `%%
domain:                        shop.fr
status:                        ACTIVE
hold:                          NO
holder-c:                      LS1-FRNIC
admin-c:                       LS2-FRNIC
tech-c:                        LS3-FRNIC
registrar:                     LAB REGISTRAR
Expiry Date:                   2025-03-04T05:06:07Z
created:                       2001-03-04T05:06:07Z
last-update:                   2024-03-04T05:06:07.123456Z
source:                        FRNIC

nserver:                       ns1.shop.fr [192.0.2.1 2001:db8::1]
nserver:                       ns2.other.test
source:                        FRNIC

registrar:                     LAB REGISTRAR
address:                       1 rue du Labo
country:                       FR
phone:                         +33.100000000
e-mail:                        contact@registrar.test
anonymous:                     No

nic-hdl:                       LS1-FRNIC
type:                          ORGANIZATION
contact:                       Boutique du Labo
address:                       2 rue du Labo
address:                       75001 Paris
country:                       FR
e-mail:                        titulaire@shop.fr`,
  it: `
Domain:             shop.it
Status:             ok
Signed:             no
Created:            1999-12-10 00:00:00
Last Update:        2024-05-07 00:52:45
Expire Date:        2025-04-21

Registrant
  Organization:     Negozio S.p.A.
  Address:          Via Prova 1
                    Roma
                    00100
                    RM
                    IT

Admin Contact
  Name:             Mario Rossi

Registrar
  Organization:     Lab Registrar s.r.l.
  Name:             LAB-REG
  Web:              https://registrar.test

Nameservers
  ns1.shop.it
  ns2.other.test
`,
  tr: `** Domain Name: shop.com.tr
Domain Status: Active

** Registrant:
   Lab Ticaret A.S.
   Hidden upon user request

** Domain Servers:
ns1.shop.com.tr 192.0.2.1
ns2.other.test

** Additional Info:
Created on..............: 2001-Aug-23.
Expires on..............: 2025-Aug-22.
`,
  kr: `query : shop.kr

Domain Name                 : shop.kr
Registrant                  : Lab Inc.
Administrative Contact(AC)  : Hong
AC E-Mail                   : admin@shop.kr
Registered Date             : 2001. 02. 03.
Last Updated Date           : 2024. 01. 02.
Expiration Date             : 2025. 02. 03.
Authorized Agency           : Lab Agency(http://agency.test)
DNSSEC                      : unsigned

Primary Name Server
   Host Name                : ns1.shop.kr
   IP Address               : 192.0.2.1
`,
}
