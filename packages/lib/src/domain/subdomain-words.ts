/**
 * Labels that subdomains often have, the most frequent first. From the list top1million-5000 of SecLists (MIT licence,
 * github.com/danielmiessler/SecLists), which counted them in zones that were open to transfer, as Debian's dnsrecon
 * carries it; without whole names of particular hosts, in lower case and without repetitions.
 */
const WORDS = `
www mail ftp localhost webmail smtp webdisk pop cpanel whm ns1 ns2 autodiscover autoconfig ns test m blog dev www2
ns3 pop3 forum admin mail2 vpn mx imap old new mobile mysql beta support cp secure shop demo dns2 ns4 dns1 static
lists web www1 img news portal server wiki api media images www.blog backup dns sql intranet www.forum www.test stats
host video mail1 mx1 www3 staging www.m sip chat search crm mx2 ads ipv4 remote email my wap svn store cms download
proxy www.dev mssql apps dns3 exchange mail3 forums ns5 db office live files info owa monitor helpdesk panel sms
newsletter ftp2 web1 web2 upload home bbs login app en blogs it cdn stage gw dns4 www.demo ssl cn smtp2 vps ns6 relay
online service test2 radio ntp library help www4 members tv www.shop extranet hosting ldap services webdisk.blog s1 i
survey s www.mail www.new c-n7k-v03-01.rz data docs c-n7k-n04-01.rz ad legacy router de meet cs av sftp server1 stat
moodle facebook test1 photo partner nagios mrtg s2 mailadmin dev2 ts autoconfig.blog autodiscover.blog games jobs
image host2 gateway preview www.support im ssh correo control ns0 vpn2 cloud archive citrix webdisk.m voip connect
game smtp1 access lib www5 gallery redmine es irc stream qa dl billing construtor lyncdiscover painel fr projects a
pgsql mail4 tools iphone server2 dbadmin manage jabber music webmail2 www.beta mailer phpmyadmin t reports rss
pgadmin images2 mx3 www.webmail ws content sv web3 community poczta www.mobile ftp1 dialin us sp panelstats vip cacti
s3 alpha videos ns7 promo testing sharepoint marketing sitedefender member webdisk.dev emkt training edu autoconfig.m
git autodiscover.m catalog webdisk.test job ww2 www.news sandbox elearning fb webmail.cp downloads speedtest design
staff master panelstatsmail v2 db1 mailserver builder.cp travel mirror ca sso tickets alumni sitebuilder www.admin
auth jira ns8 partners ml list images1 club business update fw devel local wp streaming zeus images3 adm img2 gate
pay file seo status share maps zimbra webdisk.forum trac oa sales post events project xml wordpress images4 main
english e img1 db2 time redirect go bugs direct www6 social www.old development calendar www.forums ru www.wiki
monitoring hermes photos bb mx01 mail5 temp map ns10 tracker sport uk hr autodiscover.test conference free
autoconfig.test client vpn1 autodiscover.dev b2b autoconfig.dev noc webconf ww payment firewall intra rt v clients
www.store gis m2 event origin site domain barracuda link ns11 internal dc smtp3 zabbix mdm assets images6 www.ads
mars mail01 pda images5 c ns01 tech ms images7 autoconfig.forum public css autodiscover.forum webservices www.video
web4 orion pm fs w3 student www.chat domains book lab o1.email server3 img3 kb faq health in board vod www.my cache
atlas php images8 wwww voip750101.pg6.sip cas origin-www cisco banner mercury w directory mailhost test3 shopping
webdisk.demo ip market pbx careers auto idp ticket js ns9 outlook foto www.en pro mantis spam movie s4 lync jupiter
dev1 erp register adv b corp sc ns12 images0 enet1 mobil lms net storage ss ns02 work webcam www7 report admin2 p nl
love pt manager d cc android linux reseller agent web01 sslvpn n thumbs links mailing hotel pma press venus finance
uesgh2x nms ds joomla doc flash research dashboard track www.img x rs edge deliver sync oldmail da order eng
testbrvps user radius star labs top srv1 mailers mail6 pub host3 reg lb log books phoenix drupal affiliate www.wap
webdisk.support www.secure cvs st wksta1 saturn logos preprod m1 backup2 opac core vc mailgw pluto ar software jp srv
newsite www.members openx otrs titan soft analytics code mp3 sports stg whois apollo web5 ftp3 www.download mm art
host1 www8 www.radio demo2 click smail w2 feeds g education affiliates kvm sites mx4 autoconfig.demo controlpanel
autodiscover.demo tr ebook www.crm hn black mcp adserver www.staging static1 webservice f develop sa katalog as smart
pr account mon munin www.games www.media cam school r mc id network www.live forms math mb maintenance pic agk phone
bt sm demo1 ns13 tw ps dev3 tracking green users int athena www.static www.info security mx02 prod 1 team transfer
www.facebook www10 v1 google proxy2 feedback vpgk auction view biz vpproxy secure2 www.it newmail sh mobi wm mailgate
dms 11192521404255 autoconfig.support play 11192521403954 start life autodiscover.support antispam cm booking iris
www.portal hq gc._msdcs neptune terminal vm pool gold gaia internet sklep ares poseidon relay2 up resources is mall
traffic webdisk.mail www.api join smtp4 www9 w1 upl ci gw2 open audio fax alfa www.images alex spb xxx ac edm mailout
webtest nfs01.jc me sun virtual spokes ns14 webserver mysql2 tour igk wifi pre abc corporate adfs srv2 delta loopback
magento br campus law global s5 web6 orange awstats static2 learning www.seo china gs www.gallery tmp ezproxy darwin
bi best mail02 studio sd signup dir server4 archives golf omega vps2 sg ns15 win real www.stats c1 eshop piwik geo
mis proxy1 web02 pascal lb1 app1 mms apple confluence sns learn classifieds pics gw1 www.cdn rp matrix repository
updates se developer meeting twitter artemis au cat system ce ecommerce sys ra orders sugar ir wwwtest bugzilla
listserv www.tv vote webmaster webdev sam www.de vps1 contact galleries history journal hotels www.newsletter podcast
dating sub www.jobs www.intranet www.email mt science counter dns5 2 people ww3 www.es ntp1 vcenter test5 radius1 ocs
power pg pl magazine sts fms customer wsus bill www.hosting vega nat sirius lg 11285521401250 sb hades students uat
conf ap uxr4 eu moon www.search checksrv hydra usa digital wireless banners md mysite webmail1 windows traveler
www.poczta hrm database mysql1 inside debian pc ask backend cz mx0 mini autodiscover.mail rb webdisk.shop mba
www.help www.sms test4 dm subscribe sf passport red video2 ag autoconfig.mail all.edge registration ns16 camera
myadmin ns20 uxr3 mta beauty fw1 epaper central cert backoffice biblioteca mob about space movies u ms1 ec forum2
server5 money radius2 print ns18 thunder nas ww1 webdisk.webmail edit www.music planet m3 vstagingnew app2 repo
prueba house ntp2 dragon pandora stock form pp www.sport physics food groups antivirus profile www.online stream2 hp
d1 nhko1111 logs eagle v3 mail7 gamma career vpn3 ipad dom webdisk.store iptv www.promo hd mag box talk hera f1
www.katalog syslog fashion t1 2012 soporte teste scripts welcome hk paris www.game multimedia neo beta2 msg io
portal2 sky webdisk.beta web7 exam cluster webdisk.new img4 surveys webmail.controlpanel error private bo kids card
vmail switch messenger cal plus cars management feed xmpp ns51 premium www.apps backup1 asp ns52 website pos lb2
www.foto ws1 domino mailman asterisk weather max ma node1 webapps white ns17 cdn2 dealer pms tg gps www.travel listas
hub demo3 minecraft ns22 dns01 wpad nm ch www.catalog ns21 web03 www.videos rc www.web gemini bm lp pdf webapp
noticias myaccount sql1 hercules ct fc mail11 pptp contest www.us msk widget study 11290521402560 posta ee realestate
out galaxy kms thor world webdisk.mobile www.test2 base cd relay1 taurus cgi www0 res d2 intern c2 webdav mail10
robot vcs am dns02 group silver www.dl adsl ids ex ariel i2 trade ims king www.fr sistemas ecard themes
builder.controlpanel blue z securemail www-test wmail 123 sonic netflow enterprise extra webdesign reporting
libguides oldsite autodiscover.secure check webdisk.secure luna www11 down odin ent web10 international fw2 leo
pegasus mailbox aaa com acs vdi inventory simple e-learning fire cb edi rsc yellow www.sklep www.social
webmail.cpanel act bc portfolio hb smtp01 cafe nexus www.edu ping movil as2 builder.control autoconfig.secure
payments cdn1 srv3 openvpn tm cisco-capwap-controller dolphin webmail3 minerva co wwwold hotspot super products nova
r1 blackberry mike pe acc lion tp tiger stream1 www12 admin1 mx5 server01 webdisk.forums notes suporte focus km speed
rd lyncweb builder.cpanel pa mx10 www.files fi konkurs broadcast a1 build earth webhost www.blogs aurora review mg
license homer servicedesk webcon db01 dns6 cfd297 spider expo newsletters h ems city lotus fun autoconfig.webmail
statistics ams all.videocdn autodiscover.shop autoconfig.shop tfs www.billing happy cl sigma jwc dream sv2 wms one ls
europa ldap2 a4 merlin buy web11 dk autodiscover.webmail ro widgets sql2 mysql3 gmail selfservice sdc tt mailrelay
a.ns ns19 webstats plesk nsk test6 class agenda adam german www.v2 renew car correio bk db3 voice sentry alt demeter
www.projects mail8 bounce tc oldwww www.directory uploads carbon all mark bbb eco 3g testmail ms2 node2 template
andromeda www.photo media2 articles yoda sec active nemesis autoconfig.new autodiscover.new push enews advertising
mail9 api2 david source kino prime o vb testsite fm c4anvn3 samara reklama made.by sis q mp newton elearn
autodiscover.beta cursos filter autoconfig.beta news2 mf ubuntu ed zs a.mx center www.sandbox img5 translate
webmail.control mail0 smtp02 s6 dallas bob autoconfig.store stu recruit mailtest reviews autodiscover.store 2011
www.iphone fp d3 rdp www.design test7 bg console outbound jpkc ext invest web8 testvb vm1 family insurance atlanta
aqua film dp ws2 webdisk.cdn www.wordpress webdisk.news at ocean dr yahoo s8 host2123 libra rose cloud1 album 3
antares www.a ipv6 bridge demos cabinet crl old2 angel cis www.panel isis s7 guide webinar pop2 cdn101 company
express special loki accounts video1 expert clientes p1 loja blog2 img6 l mail12 style hcm s11 mobile2 triton s12 kr
www.links s13 friends www.office shadow mymail autoconfig.forums ns03 neu autodiscover.forums www.home root upgrade
puppet storm www.service isp get foro mytest test10 desktop po mac www.member ph blackboard dspace dev01 ftp4 testwww
presse ldap1 rock wow sw msn mas scm its vision tms www.wp hyperion nic html sale isp-caledon.cit www.go do media1
web9 ua energy helios chicago webftp i1 commerce www.ru union netmon audit vm2 mailx web12 painelstats sol z-hn.nhac
kvm2 chris www.board apache tube marvin bug external pki viper webadmin production r2 win2 vpstun mx03 ios www.uk
smile www.fb aa www13 trinity www.upload www.testing amazon hosting2 bip mw www.health india web04 rainbow
cisco-lwapp-controller uranus qr domaindnszones editor www.stage manual nice robin gandalf j buzz password
autoconfig.mobile gb idea eva www.i server6 www.job results www.test1 maya pix www.cn gz th www.lib
autodiscover.mobile b1 horus zero sv1 wptest cart brain mbox bd tester fotos ess ns31 blogx.dev ceres gatekeeper csr
www.cs sakura chef parking idc desarrollo mirrors sunny kvm1 prtg mo dns0 chaos avatar alice task www.app dev4 sl
sugarcrm youtube ic-vss6509-gw simon m4 dexter crystal terra fa server7 journals iron uc pruebas magic ead
www.helpdesk 4 server10 computer galileo delivery aff aries www.development el livechat host4 static3 www.free sk
puma coffee gh java fish templates tarbaby mtest light www.link sas poll director destiny aquarius vps3 bravo freedom
boutique lite ns25 shop2 ic foundation cw ras park next diana secure1 k euro managedomain castor www-old charon nas1
la jw s10 web13 mxbackup2 europe oasis donate s9 ftps falcon depot genesis mysql4 rms ns30 www.drupal wholesale
forestdnszones www.alumni marketplace tesla statistik country imap4 brand gift shell www.dev2 apply nc kronos epsilon
testserver smtp-out pictures autos org mysql5 france shared cf sos stun channel 2013 moto pw oc.pool eu.pool na.pool
cams www.auto pi image2 test8 hi casino magazin wwwhost-roe001 z-hcm.nhac trial cam1 victor sig ctrl wwwhost-ox001
weblog rds first farm whatsup panda dummy stream.origin canada wc flv www.top emerald sim ace sap ga bank et soap
guest mdev www.client www.partner easy st1 webvpn baby s14 delivery.a wwwhost-port001 hideip graphics webshop
catalogue tom rm perm www.ad ad1 mail03 www.sports water intranet2 autodiscover.news bj nsb charge export testweb
sample quit proxy3 email2 b2 servicios novo new2 meta secure3 ajax autoconfig.news ghost www.cp good bookstore kiwi
ft demo4 www.archive squid publish west football printer cv ny boss smtp5 rsync sip2 ks leon a3 mta1 epay tst mgmt
deals dropbox www.books 2010 torrent webdisk.ads mx6 www.art chem iproxy www.pay anime ccc anna ns23 hs cg acm pollux
lt meteo owncloud andrew v4 www-dev oxygen jaguar panther personal ab dcp med www.joomla john watson motor mails kiev
asia campaign win1 cards fantasy tj martin helium nfs ads2 script anubis imail cp2 mk bw em creative www.elearning
ad2 stars discovery friend reservations buffalo cdp uxs2r atom cosmos www.business a2 xcb allegro om ufa dw cool
files2 webdisk.chat ford oma zzb staging2 texas ib cwc aphrodite re spark www.ftp oscar atlantis osiris os m5 dl1
www.shopping ice beta1 mcu inter interface gm kiosk so dss www.survey customers fx nsa csg mi url dl2 show
www.classifieds mexico knowledge frank tests accounting krasnodar um hc www.nl echo property gms london www.clients
academy cyber www.english museum poker www.downloads gp cr arch gd virgo si smtp-relay ipc gay gg oracle ruby grid
web05 i3 tool bulk jazz price pan webdisk.admin agora w4 mv www.moodle phantom web14 radius.auth voyager mint
einstein wedding sqladmin cam2 autodiscover.chat trans che bp dsl kazan autoconfig.chat al pearl transport lm h1
condor homes air stargate ai www.www2 hot paul np kp engine ts3 nano testtest sss james gk ep ox tomcat ns32 sametime
tornado e1 s16 quantum slave shark autoconfig.cdn www.love backup3 webdisk.wiki altair youth keys site2 server11
phobos common autodiscover.cdn key test9 core2 snoopy lisa soccer tld biblio sex fast train www.software credit p2
cbf1 ns24 mailin dj www.community www-a www-b smtps victoria www.docs cherry cisl-murcia.cit border test11 nemo pass
mta2 911 xen hg be wa web16 biologie bes fred turbo biology indigo plan www.stat hosting1 pilot www.club diamond
www.vip cp1 ics www.library autoconfig.admin japan autodiscover.admin quiz laptop todo cdc mkt mu dhcp.pilsnet dot
xenon horizon vp centos inf wolf mr fusion retail logo line 11 sr shorturl speedy webct omsk dns7 ebooks apc rus
landing pluton www.pda w5 san course aws uxs1r spirit ts2 srv4 classic webdisk.staging g1 ops comm bs sage innovation
dynamic www.www resellers resource colo test01 swift bms metro s15 vn callcenter www.in scc jerry site1 profiles
penguin sps mail13 portail faculty eis rr mh count psi florida mango maple ssltest cloud2 general www.tickets maxwell
web15 familiar arc axis ng admissions dedicated cash nsc www.qa tea tpmsqr01 rnd jocuri office2 mario xen2
mradm.letter cwa ninja amur core1 miami www.sales cerberus ixhash ie action daisy spf p3 junior oss pw.openvpn
alt-host fromwl nobl isphosts ns26 helomatch test123 tftp webaccess tienda hostkarma lv freemaildomains sbc testbed
bart ironport server8 dh crm2 watch skynet miss dante www.affiliates legal www.ip telecom dt blog1 webdisk.email
ip-us pixel www.t dnswl korea insight dd www.rss testbl www01 auth-hack www.cms abuse-report pb casa eval bio app3
cobra www.ar solo wall oc dc1 beast george eureka sit demo5 holiday webhosting srv01 router2 ssp server9 quotes
eclipse entertainment kc m0 af cpa pc.jura-gw1 fox deal dav www.training webdisk.old host5 mix vendor uni mypage spa
soa aura ref arm dam config austin aproxy developers cms2 www15 women wwwcache abs testportal inet gt testshop g2
www.ca pinnacle support2 sunrise snake www-new patch lk sv3 b.ns python starwars cube sj s0 gc stud micro webstore
coupon perseus maestro router1 hawk pf h2 www.soft dns8 fly unicorn sat na xyz df lynx activate sitemap t2 cats mmm
volgograd test12 sendmail hardware ara import ces cinema arena text a5 astro doctor casper smc voronezh eric agency
wf avia platinum butler yjs hospital nursing admin3 pd safety teszt tk s20 moscow karen cse messages www.adserver asa
eros www.server player raptor documents srv5 www.photos xb example culture demo6 dev5 jc ict back p2p stuff wb ccs su
webinars kt hope http try tel m9 newyork gov www.marketing relax setup fileserver moodle2 courses annuaire fresh
www.status rpc zeta ibank helm autodiscover.ads mailgateway integration viking metrics c.ns.e webdisk.video www.host
tasks monster firefly icq saratov www.book smtp-out-01 tourism dz zt daniel roundcube paper 24 sus splash zzz 10
chat2 autoconfig.ads mailhub neon message seattle ftp5 port solutions offers seth server02 peter ns29 maillist
www.konkurs d.ns.e toto guides ae healthcare ssc mproxy metis estore mailsrv singapore hm medusa bl bz i5 dan thomas
exchbhlan5 alert www.spb st2 www.tools rigel e.ns.e kvm3 astun trk www.law qavgatekeeper collab styx webboard cag
www.student galeria checkout gestion mailgate2 draco n2 berlin touch seminar olympus qavmgk f.ns.e intl stats2 plato
send idm m7 mx7 m6 coco denver s32 toronto abuse dn sophos bear logistics cancer s24 r25 s22 install istun itc oberon
cps paypal 7 mail-out portal1 case hideip-usa f3 pcstun ip-usa warehouse webcast ds1 bn rest logger marina tula
vebstage3 webdisk.static infinity polaris koko praca fl packages mstun www.staff sunshine mirror1 jeff mailservers
jenkins administration mlr-all blade qagatekeeper cdn3 aria vulcan party fz luke stc mds advance andy subversion deco
99 diemthi liberty read smtprelayout fitness vs dhcp.zmml tsg www.pt win3 davinci two stella itsupport az ns27 hyper
m10 drm vhost mir webspace mail.test argon hamster livehelp 2009 bwc man ada exp metal pk msp hotline article twiki
gl hybrid www.login cbf8 sandy anywhere sorry enter east islam www.map quote op tb zh euro2012 hestia rwhois mail04
schedule ww5 servidor ivan serenity dave mobile1 ok lc synergy myspace sipexternal marc bird rio www.1 debug houston
pdc www.xxx news1 ha mirage fe jade roger ava topaz a.ns.e madrid kh charlotte download2 elite tenders pacs cap fs1
myweb calvin extreme typo3 dealers cds grace webchat comet www.maps ranking hawaii postoffice arts b.ns.e president
matrixstats www.s eden com-services-vip www.pics il solar www.loja gr ns50 svc backups sq pinky jwgl controller
www.up sn medical spamfilter prova membership dc2 www.press csc gry drweb web17 f2 nora monitor1 calypso nebula lyris
penarth.cit www.mp3 ssl1 ns34 ns35 mel as1 www.x cricket georgia callisto exch s21 eip cctv lucy bmw s23 sem mira
search2 ftp.blog realty ftp.m www.hrm patrick find tcs ts1 smtp6 lan image1 csi nissan sjc sme stone model gitlab
spanish michael remote2 www.pro s17 m.dev www.soporte checkrelay dino woman aragorn index zj documentation felix
www.events www.au adult coupons imp oz www.themes charlie rostov smtpout www.faq ff fortune vm3 vms sbs stores
teamspeak w6 jason tennis nt shine pad www.mobil s25 woody technology cj visio renewal www.c webdisk.es secret host6
www.fun polls web06 turkey www.hotel ecom tours product www.reseller indiana mercedes target load area mysqladmin don
dodo sentinel webdisk.img websites www.dir honey asdf spring tag astra monkey ns28 ben www22 www.journal eas www.tw
tor page www.bugs medias www17 toledo vip2 land sistema win4 dell unsubscribe gsa spot fin sapphire ul-cat6506-gw
www.ns1 bell cod lady www.eng click3 pps c3 registrar websrv database2 prometheus atm www.samara api1 edison mega
cobalt eos db02 sympa dv webdisk.games coop 50 blackhole 3d cma ehr db5 etc www14 opera zoom realmedia french cmc
shanghai ns33 batman ifolder ns61 alexander song proto cs2 homologacao ips vanilla legend webmail.hosting chat1
www.mx coral tim maxim admission iso psy progress shms2 monitor2 lp2 thankyou issues cultura xyh speedtest2 dirac
www.research webs e2 save deploy emarketing jm nn alfresco chronos pisces database1 reservation xena des directorio
shms1 pet sauron ups www.feedback www.usa teacher www.magento nis ftp01 baza kjc roma contests delphi purple oak win5
violet www.newsite deportes www.work musica s29 autoconfig.es identity www.fashion forest flr-all www.german lead
front rabota mysql7 jack vladimir search1 promotion plaza devtest cookie eris webdisk.images atc autodiscover.es
lucky juno brown rs2 www16 bpm www.director victory fenix rich tokyo ns36 src 12 milk ssl2 notify no livestream pink
sony vps4 scan wwws ovpn deimos smokeping va n7pdjh4 lyncav webdisk.directory interactive request apt partnerapi
albert cs1 ns62 bus young sina police workflow asset lasvegas saga p4 www.image dag crazy colorado webtrends buscador
hongkong rank reserve autoconfig.wiki autodiscover.wiki nginx hu melbourne zm toolbar cx samsung bender safe nb jjc
dps ap1 win7 wl diendan www.preview vt kalender testforum exmail wizard qq www.film xxgk www.gold irkutsk dis zenoss
wine data1 remus kelly stalker autoconfig.old everest ftp.test spain autodiscover.old obs ocw icare ideas mozart
willow demo7 compass japanese octopus prestige dash argos forum1 img7 webdisk.download mysql01 joe flex redir viva ge
mod postfix www.p imagine moss whmcs quicktime rtr ds2 future y sv4 opt mse selene mail21 dns11 server12 invoice
clicks imgs xen1 mail14 www20 cit web08 gw3 mysql6 zp www.life leads cnc bonus web18 sia flowers diary s30 proton s28
puzzle s27 r2d2 orel eo toyota front2 www.pl descargas msa esx2 challenge turing emma mailgw2 elections www.education
relay3 s31 www.mba postfixadmin ged scorpion hollywood foo holly bamboo civil vita lincoln webdisk.media story ht
adonis serv voicemail ef mx11 picard c3po helix apis housing uptime bet phpbb contents rent www.hk vela surf summer
beijing bingo www.jp edocs mailserver2 chip static4 ecology engineering tomsk iss s26 utility pac ky visa ta web22
ernie fis content2 eduroam youraccount playground paradise server22 rad domaincp ppc autodiscover.video date f5
openfire mail.blog i4 www.reklama etools ftptest default kaluga shop1 mmc 1c server15 autoconfig.video ve www21
impact laura qmail fuji archer robo shiva tps www.eu ivr foros ebay www.dom lime mail20 b3 wss vietnam cable
webdisk.crm x1 sochi vsp www.partners polladmin maia fund asterix c4 www.articles fwallow all-nodes mcs esp helena
doors atrium www.school popo myhome www.demo2 s18 autoconfig.email columbus autodiscover.email ns60 abo classified
sphinx kg gate2 xg cronos chemistry navi arwen parts comics www.movies www.services sad krasnoyarsk h3 virus hasp bid
step reklam bruno w7 cleveland toko cruise p80.pool agri leonardo hokkaido pages rental www.jocuri fs2 ipv4.pool wise
ha.pool routernet leopard mumbai canvas cq m8 mercurio www.br subset.pool cake vivaldi graph ld rec www.temp bach
melody cygnus www.charge mercure program beer scorpio upload2 siemens lipetsk barnaul dialup mssql2 eve moe nyc
www.s1 mailgw1 student1 universe dhcp1 lp1 builder bacula ww4 www.movil ns42 assist microsoft www.careers rex dhcp
automotive edgar designer servers spock jose webdisk.projects err arthur nike frog stocks pns ns41 dbs scanner hunter
vk communication donald power1 wcm esx1 hal salsa mst seed sz nz proba yx smp bot eee solr by face hydrogen contacts
ars samples newweb eprints ctx noname portaltest door kim v28 wcs ats zakaz polycom chelyabinsk host7 www.b2b xray td
ttt secure4 recruitment molly humor sexy care vr cyclops bar newserver desk rogue linux2 ns40 alerts dvd bsc mec 20
m.test eye www.monitor solaris webportal goto kappa lifestyle miki maria www.site catalogo 2008 empire satellite
losangeles radar img01 n1 ais www.hotels wlan romulus vader odyssey bali night c5 wave soul nimbus rachel proyectos
jy submit hosting3 server13 d7 extras australia filme tutor fileshare heart kirov www.android hosted jojo tango janus
vesta www18 new1 webdisk.radio comunidad xy candy smg pai tuan gauss ao yaroslavl alma lpse hyundai ja genius ti ski
asgard www.id rh imagenes kerberos www.d peru mcq-media-01.iutnb azmoon srv6 ig frodo afisha 25 factory winter
harmony netlab chance sca arabic hack raven mobility naruto alba anunturi obelix libproxy forward tts
autodiscover.static bookmark www.galeria subs ba testblog apex sante dora construction wolverine autoconfig.static
ofertas call lds ns45 www.project gogo russia vc1 chemie h4 15 dvr tunnel 5 kepler ant indonesia dnn picture
encuestas vl discover lotto swf ash pride web21 www.ask dev-www uma cluster1 ring novosibirsk mailold extern
tutorials mobilemail www.2 kultur hacker imc www.contact rsa mailer1 cupid member2 testy systems add mail.m dnstest
webdisk.facebook mama hello phil ns101 bh sasa pc1 nana owa2 www.cd compras webdisk.en corona vista awards sp1 mz
iota elvis cross audi test02 murmansk www.demos gta autoconfig.directory argo dhcp2 www.db www.php diy ws3
mediaserver autodiscover.directory ncc www.nsk present tgp itv investor pps00 jakarta boston www.bb spare if sar
win11 rhea conferences inbox videoconf tsweb www.xml twr1 jx apps2 glass monit pets server20 wap2 s35 anketa
www.dav75.users montana sierracharlie.users sp2 parents evolution anthony www.noc yeni nokia www.sa gobbit.users ns2a
za www.domains ultra rebecca.users dmz orca dav75.users std ev firmware ece primary sao mina web23 ast sms2
www.hfccourse.users www.v28 formacion web20 ist wind opensource www.test2.users e3 clifford.users xsc sw1 www.play
www.tech dns12 offline vds xhtml steve mail.forum www.rebecca.users hobbit marge www.sierracharlie.users dart samba
core3 devil server18 lbtest mail05 sara alex.users www.demwunz.users www23 vegas italia ez gollum test2.users
hfccourse.users ana prof www.pluslatex.users mxs dance avalon pidlabelling.users dubious.users webdisk.search query
clientweb www.voodoodigital.users pharmacy denis chi seven animal cas1 s19 di autoconfig.images www.speedtest yes
autodiscover.images www.galleries econ www.flash www.clifford.users ln origin-images www.adrian.users snow cad voyage
www.pidlabelling.users cameras volga wallace guardian rpm mpa flower prince exodus mine mailings cbf3 www.gsgou.users
wellness tank vip1 name bigbrother forex rugby webdisk.sms graduate webdisk.videos adrian mic 13 firma
www.dubious.users windu hit www.alex.users dcc wagner launch gizmo d4 rma betterday.users yamato bee pcgk gifts home1
www.team cms1 www.gobbit.users skyline ogloszenia www.betterday.users www.data river eproc acme demwunz.users nyx
cloudflare-resolve-to you sci virtual2 drive sh2 toolbox lemon hans psp goofy fsimg lambda ns55 vancouver hkps.pool
adrian.users ns39 voodoodigital.users kz ns1a delivery.b turismo cactus pluslatex.users lithium euclid quality
gsgou.users onyx db4 www.domain persephone validclick elibrary www.ts panama www.wholesale ui rpg www.ssl xenapp exit
marcus phd l2tp-us cas2 rapid advert malotedigital bluesky fortuna chief streamer salud web19 stage2 members2 www.sc
alaska spectrum broker oxford jb jim cheetah sofia webdisk.client nero rain crux mls mrtg2 repair meteor samurai kvm4
ural destek pcs mig unity reporter ftp-eu cache2 van smtp10 nod chocolate collections kitchen rocky pedro sophia st3
nelson ak jl slim wap1 sora migration www.india ns04 ns37 ums www.labs blah adimg yp db6 xtreme groupware collection
blackbox sender t4 college kevin vd eventos tags us2 macduff wwwnew publicapi web24 jasper vladivostok tender premier
tele wwwdev www.pr postmaster haber zen nj rap planning domain2 veronica isa www.vb lamp goldmine www.geo www.math
mcc www.ua vera nav nas2 autoconfig.staging s33 boards thumb autodiscover.staging carmen gazeta www.test3 manga
techno vm0 vector hiphop www.bbs rootservers dean www.ms win12 dreamer alexandra smtp03 jackson wing ldap3
www.webmaster hobby men cook ns70 olivia tampa kiss nevada live2 computers tina festival bunny jump military fj kira
pacific gonzo ftp.dev svpn serial webster www.pe s204 romania gamers guru sh1 lewis pablo yoshi lego divine italy
wallpapers nd myfiles neptun www.world convert www.cloud proteus medicine bak lista dy rhino dione sip1 california
100 cosmic electronics openid csm adm2 soleil disco www.pp xmail www.movie pioneer phplist elephant ftp6 depo icon
www.ns2 www.youtube ota capacitacion mailfilter switch1 ryazan auth2 paynow webtv pas www.v3 storage1 rs1 sakai pim
vcse ko oem theme tumblr smtp0 server14 lala storage2 k2 ecm moo can imode webdisk.gallery webdisk.jobs howard mes
eservices noah support1 soc gamer ekb marco information heaven ty kursk wilson webdisk.wp freebsd phones void esx3
empleo aida s01 apc1 mysites www.kazan calc barney prohome fd kenny www.filme ebill d6 era big goodluck rdns2
everything ns43 monty bib clip alf quran aim logon wg rabbit ntp3 upc www.stream www.ogloszenia abcd autodiscover.en
blogger pepper autoconfig.en stat1 jf smtp7 video3 eposta cache1 ekaterinburg talent jewelry ecs beta3 www.proxy zsb
44 ww6 nautilus angels servicos smpp we siga magnolia smt maverick franchise dev.m webdisk.info penza shrek faraday
s123 aleph vnc chinese glpi unix leto win10 answers att webtools sunset extranet2 kirk mitsubishi ppp cargo comercial
balancer aire karma emergency zy dtc asb win8 walker cougar autodiscover.videos bugtracker autoconfig.videos icm tap
nuevo ganymede cell www02 ticketing nature brazil www.alex troy avatars aspire custom www.mm ebiz www.twitter kong
beagle chess ilias codex camel crc microsite mlm autoconfig.crm o2 human ken sonicwall biznes pec flow autoreply tips
little autodiscover.crm hardcore egypt ryan doska mumble s34 pds platon demo8 total ug das gx just tec archiv ul
craft franklin speedtest1 rep supplier crime mail-relay luigi saruman defiant rome tempo sr2 tempest azure horse
pliki barracuda2 www.gis cuba adslnat-curridabat-128 aw test13 box1 aaaa x2 exchbhlan3 sv6 disk enquete eta vm4 deep
mx12 s111 budget arizona autodiscover.media ya webmin fisto orbit bean mail07 autoconfig.media berry jg www.money
store1 sydney kraken author diablo wwwww word www.gmail www.tienda samp golden travian www.cat www.biz 54 demo10
bambi ivanovo big5 egitim he amanda orchid kit rmr1 richard offer edge1 germany tristan seguro kyc maths columbia
steven wings www.sg ns38 grand tver natasha r3 www.tour pdns m11 dweb nurse dsp www.market meme www.food moda ns44
mps jgdw m.stage bdsm mech rosa sx tardis domreg eugene home2 vpn01 scott excel lyncdiscoverinternal ncs pagos
recovery bastion wwwx spectre static.origin quizadmin www.abc ulyanovsk test-www deneb www.learn nagano bronx ils
mother defender stavropol g3 lol nf caldera cfd185 tommy think thebest girls consulting owl newsroom us.m hpc ss1
dist valentine 9 pumpkin queens watchdog serv1 web07 pmo gsm spam1 geoip test03 ftp.forum server19 www.update tac
vlad saprouter lions lider zion c6 palm ukr amsterdam html5 wd estadisticas blast phys rsm 70 vvv kris agro
msn-smtp-out labor universal gapps futbol baltimore wt avto workshop www.ufa boom autodiscover.jobs unknown alliance
www.svn duke kita tic killer ip176-194 millenium garfield assets2 auctions point russian suzuki clinic lyncedge
www.tr la2 oldwebmail shipping informatica age gfx ipsec lina autoconfig.jobs zoo splunk sy urban fornax www.dating
clock balder steam ut zz washington lightning fiona im2 enigma fdc zx sami eg cyclone acacia yb nps update2 loco
discuss s50 kurgan smith plant lux www.kino www.extranet gas psychologie 01 s02 cy modem station www.reg zip boa
www.co mx04 openerp bounces dodge paula meetings firmy web26 xz utm s40 panorama photon vas war marte gateway2 tss
anton hirlevel winner fbapps vologda arcadia www.cc util 16 tyumen desire perl princess papa like matt sgs datacenter
atlantic maine tech1 ias vintage linux1 gzs cip keith carpediem serv2 dreams front1 lyncaccess fh mailer2 www.chem
natural student2 sailing radio1 models evo tcm bike bancuri baseball manuals img8 imap1 oldweb smtpgw pulsar reader
will stream3 oliver mail15 lulu dyn bandwidth messaging us1 ibm idaho camping verify seg vs1 autodiscover.sms blade1
blade2 leda mail17 horo testdrive diet www.start mp1 claims te gcc www.whois nieuwsbrief xeon eternity greetings
data2 asf autoconfig.sms kemerovo olga haha ecc prestashop rps img0 olimp biotech qa1 swan bsd webdisk.sandbox
sanantonio dental www.acc zmail statics ns102 39 idb h5 connect2 jd christian luxury ten bbtest blogtest self
www.green forumtest olive www.lab ns63 freebies ns64 www.g jake www.plus ejournal letter works peach spoon sie lx aol
baobab tv2 edge2 sign webdisk.help www.mobi php5 webdata award gf rg lily ricky pico nod32 opus sandiego emploi sfa
application comment autodiscover.search www.se recherche africa webdisk.members multi wood xx fan reverse missouri
zinc brutus lolo imap2 www.windows aaron webdisk.wordpress create bis aps xp outlet www.cpanel bloom 6 ni
www.vestibular webdisk.billing roman myshop joyce qb walter www.hr fisher daily webdisk.files michelle musik sic
taiwan jewel inbound trio mts dog mustang specials www.forms crew tes www.med elib testes richmond
autodiscover.travel mccoy aquila www.saratov bts hornet election test22 kaliningrad listes tx webdisk.travel onepiece
bryan saas opel florence blacklist skin workspace theta notebook freddy elmo www.webdesign autoconfig.travel sql3
faith cody nuke memphis chrome douglas www24 autoconfig.search www.analytics forge gloria harry birmingham zebra
www.123 laguna lamour igor brs polar lancaster webdisk.portal autoconfig.img autodiscover.img other www19 srs gala
crown v5 fbl sherlock remedy gw-ndh mushroom mysql8 sv5 csp marathon kent critical dls capricorn standby test15
www.portfolio savannah img13 veritas move rating sound zephyr download1 www.ticket exchange-imap.its b5 andrea dds
epm banana smartphone nicolas phpadmin www.subscribe prototype experts mgk newforum result www.prueba cbf2 s114 spp
trident mirror2 s112 sonia nnov www.china alabama photogallery blackjack lex hathor inc xmas tulip and common-sw1
betty vo www.msk pc2 schools
`

/** All of them; those of several labels stand for names below names. */
export const subdomainWords: readonly string[] = WORDS.trim().split(/\s+/)

/** Names with underscores that documents give to services (RFC 8552 and the registry it opened). */
export const serviceNames: readonly string[] = [
  ...['_dmarc', '_domainkey', '_acme-challenge', '_mta-sts', '_smtp._tls', 'default._bimi', '_sip._tcp', '_sip._udp'],
  ...['_sips._tcp', '_xmpp-client._tcp', '_xmpp-server._tcp', '_ldap._tcp', '_kerberos._tcp', '_kerberos._udp'],
  ...['_submission._tcp', '_submissions._tcp', '_imap._tcp', '_imaps._tcp', '_pop3s._tcp', '_autodiscover._tcp'],
  ...['_caldavs._tcp', '_carddavs._tcp', '_matrix._tcp', '_sipfederationtls._tcp', '_stun._udp', '_turn._udp'],
]
