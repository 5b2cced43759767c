/**
 * Passwords that recur at the head of every leak. Written down for this project from what is common knowledge: the
 * yearly top lists of NordPass, the first places of the list that the British NCSC published in 2019, and the habits
 * the literature describes (J. Bonneau, "The science of guessing", 2012): counting, walks over a keyboard, names,
 * endearments, teams, months, and the word password in many languages. The order is roughly that of frequency within
 * each line; it is no copy of any list.
 */
const LINES = `
123456 password 123456789 12345678 12345 qwerty 1234567 111111 1234567890 123123 abc123 1234 password1 iloveyou
000000 qwerty123 admin 1q2w3e4r qwertyuiop 654321 555555 lovely 7777777 welcome 888888 princess dragon monkey letmein
123321 666666 1q2w3e 987654321 sunshine football 123qwe master login superman ashley bailey shadow passw0rd 121212
654321 michael 1qaz2wsx solo starwars hello freedom whatever trustno1 zaq1zaq1 qazwsx batman access flower hottie loveme
secret test guest root toor changeme default user pass administrator p@ssw0rd p@ssword passwd pass1234 pass123 admin123
admin1 admin1234 root123 test123 test1234 testing guest123 user123 welcome1 welcome123 letmein1 abcd1234 abc12345 a123456
a12345 a1b2c3 a1b2c3d4 aa123456 aaa111 aaaaaa aaaaaaaa asdf asdf1234 asdfasdf asdfgh asdfghjk asdfghjkl asd123 asdasd
qwer1234 qwer qwert qwert123 qwerty1 qwerty12 qwerty1234 qwertyu qweqwe qwe123 qweasd qweasdzxc qweasd123 q1w2e3r4
q1w2e3r4t5 q1w2e3 1q2w3e4r5t 1q2w3e4r5t6y 1qazxsw2 1qaz2wsx3edc zaq12wsx zaq1xsw2 zxcvbn zxcvbnm zxcvb zxc123 zxczxc
qazwsxedc qaz123 qazxsw 147258369 147852369 159753 159357 789456123 789456 456789 456123 741852963 963852741 852456
112233 11223344 1122334455 445566 223344 332211 121314 123654 123654789 123789 123456a 123456q 123456789a 12345a 12345q
1234qwer 12341234 123412345 12344321 123454321 1234554321 12345679 1234567891 12345678910 1234567890 0123456789 01234567
0987654321 098765 09876 87654321 7654321 54321 4321 9876543210 98765432 987654 9999 8888 7777 6666 5555 4444 3333 2222
1111 0000 11111 22222 33333 44444 55555 66666 77777 88888 99999 00000 222222 333333 444444 777777 999999 11111111 22222222
33333333 44444444 55555555 66666666 77777777 88888888 99999999 00000000 1111111 0000000 9999999 5555555 1111111111
0000000000 101010 10101010 131313 141414 151515 161616 171717 181818 191919 202020 212121 232323 242424 252525 262626
272727 282828 292929 303030 313131 343434 454545 565656 676767 696969 787878 898989 909090 989898 010101 020202 102030
10203040 102938 1029384756 100200 123000 123abc 123asd 123qweasd 123123123 12312312 1231234 321321 321654 456456 789789
1212 1313 1234abcd 1357 13579 135790 1357924680 2468 24680 246810 2580 147147 147258 258456 369369 111222 111222333
112358 314159 31415926 3141592654 2718281828 420420 5201314 520520 521521 1314520 888888888 168168 666888 88888888a
computer internet server network system windows linux ubuntu debian oracle database mysql postgres cisco router switch
samsung nokia apple iphone google yahoo hotmail gmail facebook twitter youtube myspace linkedin adobe adobe123 photoshop
macromedia microsoft office excel dell toshiba sony playstation nintendo xbox xbox360 minecraft roblox fortnite pokemon
pikachu zelda mario sonic naruto sasuke goku dragonball onepiece warcraft starcraft diablo counter gamer gaming player
hunter hunter1 hunter2 killer killer1 ninja ninja1 warrior assassin sniper soldier army marine marines navy airforce
ranger police fireman doctor nurse teacher student school college university lawyer manager service support helpdesk
company business office1 sales marketing finance backup public private security secure secure1 mypassword yourpassword
thepassword newpassword oldpassword nopassword password0 password2 password3 password7 password9 password11 password12
password123 password1234 password12345 password01 password! password1! password99 passwords passion passport
baseball basketball soccer hockey golf golfer tennis volleyball softball cricket rugby boxing swimming skater skate
surfer surfing snowboard fishing fishing1 hunting racing nascar ferrari porsche mercedes mustang mustang1 corvette camaro
chevy chevrolet ford toyota honda yamaha suzuki kawasaki ducati harley audi bmw nissan subaru volvo lexus jaguar dodge
yankees yankees1 redsox redsox1 cubs dodgers giants cowboys cowboys1 steelers steelers1 packers eagles broncos raiders
raiders1 bears patriots dolphins lakers lakers24 bulls celtics heat warriors arsenal arsenal1 chelsea chelsea1 liverpool
liverpool1 liverpoolfc manchester manutd mancity everton tottenham spurs celtic rangers barcelona barca realmadrid madrid
juventus milan inter ronaldo ronaldo7 messi messi10 beckham beckham7 rooney cristiano neymar galatasaray fenerbahce
besiktas flamengo palmeiras corinthians benfica sporting porto ajax feyenoord bayern dortmund schalke
charlie andrew jordan jordan23 michelle jennifer jessica daniel thomas joshua matthew robert anthony nicole amanda
hannah andrea joseph christopher maggie martin george william tigger tigger1 pepper ginger buster cookie summer soccer1
harley1 killer123 hello1 hello123 lovers love love123 love1234 loveyou loveyou1 lover loves ilove iloveu iloveu2 iloveyou1
iloveyou2 iloveme iloveher ilovehim ilovegod iloveme1 mylove myself mybaby baby baby1 babygirl babygirl1 babyboy babyface
sweetie sweetheart sweet sweety honey honey1 angel angel1 angels angelina darling cutie cutiepie beautiful gorgeous pretty
princess1 prince queen king kingdom superstar rockstar popstar sexy sexy123 sexygirl sexyboy hotgirl hotboy bitch fuckyou
fuckyou1 fuckoff asshole bastard shithead pussy blowme eatme suckit bigdick penis porno playboy 69696969 sex
james john david richard charles paul mark donald steven kenneth kevin brian edward ronald timothy jason jeffrey ryan jacob
gary nicholas eric stephen jonathan larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack
dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle walter ethan jeremy harold keith christian roger
noah gerald terry sean austin carl arthur lawrence dylan jesse bryan billy bruce gabriel logan albert willie juan wayne
ralph roy eugene randy vincent russell louis philip bobby johnny bradley mary patricia linda barbara elizabeth susan sarah
karen lisa nancy betty sandra margaret kimberly emily donna carol ruth sharon laura cynthia kathleen amy angela shirley
brenda emma anna pamela samantha katherine christine debra rachel carolyn janet catherine maria heather diane olivia julie
joyce victoria kelly christina lauren joan evelyn judith megan cheryl alice ann jean doris jacqueline kathryn gloria teresa
sara janice marie julia grace judy theresa denise marilyn amber danielle brittany diana abigail jane natalie lori alexis
tiffany kayla chris chris1 mike mike1 steve dave danny tony tommy jimmy alex alex123 alexa alexandra alexandr sasha natasha
sophie sophia chloe zoe lucy lily molly daisy daisy1 max maxwell oliver oscar rocky rocky1 lucky lucky1 lucky7 bella bella1
buddy buddy1 toby jake jake1 sammy sammy1 sam sam123 sadie casper smokey bandit shadow1 midnight princess12 snoopy garfield
mickey minnie donald1 simba nemo scooby spongebob barney barbie elmo winnie pooh piglet eeyore bambi tweety dumbo tinkerbell
monkey1 monkey12 monkey123 dragon1 dragon12 dragon123 master1 master123 jordan1 michael1 jessica1 ashley1 nicole1 daniel1
anthony1 andrew1 matthew1 joshua1 charlie1 thomas1 george1 brandon1 justin1 jasmine jasmine1 melissa stephanie samantha1
michelle1 jennifer1 elizabeth1 vanessa gabriela daniela carolina fernanda mariana valentina camila isabella alejandra
alejandro carlos eduardo fernando francisco antonio miguel rodrigo ricardo roberto mario1 luis jesus jesus1 jesuschrist
christ jesus123 god godisgood blessed blessing faith hope heaven angel123 church praise trinity savior bible lord amen
cat cats dog dogs doggy kitty kitten puppy horse horses tiger tigers lion panther leopard eagle falcon phoenix wolf wolves
bear panda panda1 elephant rabbit bunny hamster dolphin shark turtle spider scorpion butterfly bird birdie chicken duck
banana orange cherry strawberry apple1 apples peach lemon cookie1 cookies chocolate chocolate1 candy sugar cheese pizza
coffee pepsi cocacola coke beer whiskey vodka tequila budlight heineken marlboro weed420 stoner marijuana snickers oreo
blue blue123 red green purple pink black white yellow silver golden gold orange1 blackie blue1234 bluesky rainbow
spring summer1 autumn fall winter january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday friday13 summer2020 summer2021 summer2022 summer2023 summer2024
winter2020 winter2021 winter2022 winter2023 winter2024 spring2023 spring2024 autumn2023 autumn2024 happy happy1 happy123
smile smiles smiley forever forever1 friends friend bestfriend family family1 mother father mom mommy daddy daddy1 sister
brother baby123 money money1 money123 dollar rich cash million millionaire bank success winner loser lucky13 magic wizard
merlin gandalf frodo legolas aragorn hobbit potter harrypotter hogwarts hermione dumbledore voldemort matrix neo trinity1
morpheus startrek spock enterprise voyager stargate skywalker vader darthvader yoda jedi terminator predator alien rambo
rocky2 batman1 superman1 spiderman spiderman1 ironman hulk wolverine xmen avengers joker robin catwoman deadpool thor
metallica nirvana slipknot korn linkinpark greenday blink182 eminem tupac 2pac 50cent biggie snoopdog madonna britney
rihanna beyonce elvis beatles queen1 acdc ironmaiden megadeth pinkfloyd ledzeppelin thedoors bobmarley rastafari music
music1 guitar guitar1 drummer drums bass piano singer dancer dance hiphop rock rocknroll jazz techno house trance metal
new york newyork london paris berlin rome tokyo moscow boston chicago dallas houston miami denver phoenix1 atlanta seattle
florida texas california hawaii america american england scotland ireland canada australia india pakistan germany france
italy spain mexico brazil argentina colombia peru china japan korea russia turkey istanbul egypt africa europe asia
passwort passwort1 hallo hallo123 hallo1 schatz schatzi qwertz qwertz123 qwertzuiop geheim sommer ficken arschloch berlin1
motdepasse azerty azerty123 azertyuiop bonjour soleil doudou loulou chouchou chocolat amour jetaime marseille nicolas camille
julien chipie coucou vacances contrasena contraseña clave hola hola123 teamo tequiero teamomucho estrella princesa futbol
mariposa corazon amor bonita chocolate2 senha senha123 brasil amizade felicidade mudar123 parola ciao ciaociao amore juventus1
francesco giuseppe andrea1 forzamilan haslo haslo123 polska kochanie misiek mateusz bartek salasana wachtwoord welkom welkom01
welkom123 lösenord sommar passord heslo jelszo sifre sifre123 parola123 parole пароль йцукен привет любовь qwerty777 natasha1
woaini woaini1314 woaini520 wang123 zhang123 li123456 asd123456 abc123456 abcdef abcdefg abcdefgh abcdefghi abcd abc1234
aabbcc abcabc abcxyz xyz123 zzzzzz xxxxxx qqqqqq wwwwww ssssss dddddd ffffff kkkkkk mmmmmm qwaszx qwerasdf asdqwe123 asdzxc
trustme believe dreams dreamer destiny eternity infinity paradise universe galaxy cosmos apollo zeus athena venus mars saturn
jupiter mercury pluto orion sirius nova star stars moon moonlight sunlight sunset sunflower flower1 flowers rose roses lily1
tulip violet jasmin orchid diamond crystal pearl ruby emerald sapphire jewel treasure pirate captain sailor viking samurai
knight spartan gladiator trojan titan cobra viper python java ruby1 perl scripting developer programmer hacker hacker1 hackme
matrix1 cyber cyberpunk root1234 toor123 letmein123 letmein! openup opensesame sesame abracadabra alohomora swordfish mellon
correcthorsebatterystaple qwertyqwerty passpass adminadmin testtest 1password mustang65 charlie123 thunder thunder1 lightning
storm tornado hurricane blizzard iceman icecream snowman snowball frozen winter1 xavier gemini libra taurus virgo aries pisces
aquarius scorpio leo cancer capricorn sagittarius ncc1701 ncc1701d thx1138 r2d2c3po area51 e=mc2 pa55word pa55w0rd passw0rd1
p4ssw0rd p455w0rd p@$$w0rd p@ssw0rd1 p@ssw0rd123 p@55w0rd qwerty! adm1n r00t l0vely m0nkey dr@gon 1loveyou il0veyou w3lcome
`

/** The commonest first, each once. */
export const commonPasswords: readonly string[] = [...new Set(LINES.split(/\s+/).filter(Boolean))]
