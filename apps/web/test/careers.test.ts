import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { careersPage } from '../careers.ts'
import { positions } from '../positions.ts'
import { readSettings } from '../settings.ts'
import { type Application, applicationText, fileLink, mailLink, readApplication } from '../src/application.ts'
import { ensureBuilt, read } from './built.ts'

const settings = { ...readSettings({ ASSAY_BRAND: 'Brandname' }), contact: 'jobs@site.example' }
const page = careersPage(settings)
assert.ok(page.kind === 'careers')
const { form: model } = page

const application: Application = {
  selectedRole: 'devops-engineer',
  applicationType: 'full-time',
  fullName: 'Zoë & Søn <z@x>',
  email: 'zoe@site.example',
  phone: '',
  location: 'Lisbon, UTC+0',
  experience: '8+',
  portfolio: 'https://site.example/?a=1&b=2#c',
  resumeLink: 'https://site.example/résumé.pdf',
  coverLetter: 'First line.\n100 % sure? "Yes" & no: 日本語 🙂\r\n\r\nLast line.',
  availability: '2-weeks',
}

const plain = (html: string) =>
  html
    .replace(/<script.*?<\/script>/gs, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

describe('the careers page as it is delivered', () => {
  let html = ''
  let words: string[] = []
  before(async () => {
    await ensureBuilt()
    html = read('careers/index.html')
    words = plain(html)
      .split('\n')
      .map(line => line.trim())
  })
  const says = (...texts: string[]) => {
    for (const text of texts) assert.ok(words.includes(text), text)
  }
  const part = (id: string) => new RegExp(`<section aria-labelledby="${id}".*?</section>`, 's').exec(html)?.[0] ?? ''

  test('[CAR-001] [RTE-026] a banner with the name of the page', () => {
    assert.ok(/<header class="careers-banner"><h1[^>]*>Careers at /.test(html))
  })

  for (const [id, heading] of [
    ['CAR-002', 'Why Work With Us'],
    ['CAR-007', 'Open Positions'],
    ['CAR-008', 'Perks & Benefits'],
    ['CAR-009', 'Apply Now'],
    ['CAR-010', "What's Next"],
    ['CAR-011', 'Questions'],
  ] as const) {
    test(`[${id}] section "${heading}"`, () => {
      const headings = [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, text = '']) => plain(text))
      assert.equal(headings.filter(text => text === heading).length, 1)
    })
  }

  for (const [id, text, within] of [
    ['CAR-003', 'Remote-First Culture', 'why'],
    ['CAR-004', 'Cutting-Edge Tech', 'why'],
    ['CAR-005', 'Innovation Focus', 'why'],
    ['CAR-006', 'Growth Opportunities', 'why'],
    ['CAR-016', 'Application Review', 'next'],
    ['CAR-017', 'Technical Interview', 'next'],
    ['CAR-018', 'Welcome Aboard', 'next'],
    ['CAR-068', '2-3 business days', 'next'],
    ['CAR-069', '45-60 minutes', 'next'],
    ['CAR-070', '$2000 annual', 'perks'],
    ['CAR-071', 'Unlimited PTO', 'perks'],
    ['CAR-072', 'Health insurance', 'perks'],
    ['CAR-073', 'Equity/stock options', 'perks'],
    ['CAR-074', 'Learning budget', 'perks'],
    ['CAR-075', 'Competitive salary', 'perks'],
  ] as const) {
    test(`[${id}] ${text}`, () => assert.ok(plain(part(within)).includes(text)))
  }

  test('[CAR-012] an equal opportunity employer', () =>
    assert.ok(/is an equal opportunity employer\./.test(plain(html))))

  test('[CAR-011] [OPEN-087] [OPEN-023] questions go to the contact address or the contact page', () => {
    const { contact } = readSettings({})
    assert.ok(part('questions').includes(`<a href="mailto:${contact}">${contact}</a>`))
    assert.ok(part('questions').includes('<a href="/contact-us/">'))
  })

  for (const [id, slug, title, type] of [
    ['CAR-022', 'python-fullstack', 'Python Full Stack Developer', 'Internship, Full-time'],
    ['CAR-023', 'react-frontend', 'React.js Frontend Developer', 'Internship, Full-time'],
    ['CAR-024', 'nextjs-fullstack', 'Next.js Full Stack Developer', 'Full-time'],
    ['CAR-025', 'devops-engineer', 'DevOps Engineer', 'Full-time'],
    ['CAR-026', 'django-backend', 'Django Backend Developer', 'Internship, Full-time'],
    ['CAR-027', 'postgresql-admin', 'PostgreSQL Database Administrator', 'Full-time'],
  ] as const) {
    test(`[${id}] [CAR-021] ${slug}: ${title} (${type})`, () => {
      const card = new RegExp(`<section class="position" aria-labelledby="${slug}">.*?</section>`, 's').exec(html)?.[0]
      assert.ok(card)
      const texts = plain(card).split('\n')
      const position = positions[slug]
      assert.ok(position && texts.includes(title) && texts.includes(type))
      for (const text of [position.description, ...position.requirements, ...position.technologies]) {
        assert.ok(texts.includes(text), text)
      }
      assert.ok(card.includes(`data-apply="${slug}"`))
    })
  }

  test('[CAR-019] [OPEN-080] positions are kept by slug, each with all that belongs to it', () => {
    assert.equal(Object.keys(positions).length, 6)
    for (const [slug, position] of Object.entries(positions)) {
      assert.match(slug, /^[a-z]+-[a-z]+$/)
      assert.deepEqual(Object.keys(position), [
        'title',
        'type',
        'description',
        'requirements',
        'responsibilities',
        'technologies',
      ])
      assert.ok(position.responsibilities.length > 5 && position.technologies.length >= 5)
      assert.ok(position.description && position.requirements.length >= 3)
    }
  })

  test('[CAR-020] the first five responsibilities are shown, a sixth is not', () => {
    for (const { responsibilities } of Object.values(positions)) {
      says(...responsibilities.slice(0, 5))
      for (const text of responsibilities.slice(5)) assert.ok(!words.includes(text), text)
    }
  })

  const options = (name: string) => {
    const select = new RegExp(`<select[^>]* name="${name}".*?</select>`, 's').exec(html)?.[0] ?? ''
    return [...select.matchAll(/<option value="([^"]+)"[^>]*>(.*?)<\/option>/g)].map(([, value, text]) => [value, text])
  }
  test('[CAR-040] [CAR-041] [CAR-042] [CAR-043] [CAR-044] five steps of experience', () => {
    assert.deepEqual(options('experience'), [
      ['0-1', '0-1 (Entry Level)'],
      ['1-3', '1-3 (Junior)'],
      ['3-5', '3-5 (Mid-level)'],
      ['5-8', '5-8 (Senior)'],
      ['8+', '8+ (Expert)'],
    ])
  })
  test('[CAR-045] [CAR-046] [CAR-047] [CAR-048] four availabilities', () => {
    assert.deepEqual(
      options('availability').map(([value]) => value),
      ['immediately', '2-weeks', '1-month', '2-months'],
    )
  })

  test('[CAR-066] no field has a limit of length', () => assert.ok(!/maxlength|minlength/i.test(html)))
  test('[CAR-065] nothing turns the validation of the browser off', () => assert.ok(!/novalidate/i.test(html)))
  const widget = (name: string) => new RegExp(`<[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
  test('[CAR-076] the cover letter has six rows', () => assert.match(widget('coverLetter'), /^<textarea .*rows="6"/))
  test('[CAR-067] the hint at the resume link is tied to it', () => {
    assert.match(widget('resumeLink'), /aria-describedby="resumeLink-help"/)
    const hint = /<p id="resumeLink-help"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? ''
    assert.match(hint, /publicly accessible, e\.g\. a shared link that anyone with the link can view/)
  })
  test('without script the page says where to write instead', () => {
    const without = /<noscript>(.*?)<\/noscript>/.exec(html)?.[1] ?? ''
    assert.ok(without.includes(`send your application to <a href="mailto:${readSettings({}).contact}">`))
  })
  test('[OPEN-090] the page is in the sitemap, and About Us leads to it', () => {
    assert.ok(read('sitemap.xml').includes('/careers/</loc>'))
    assert.ok(read('about-us/index.html').includes('href="/careers/"'))
  })
})

test('[CAR-039] what is read from the form has the eleven fields and not the consent', () => {
  const form = new FormData()
  for (const [name, value] of Object.entries(application)) form.set(name, value)
  form.set('consent', 'on')
  assert.deepEqual(readApplication(form), application)
})

test('[OPEN-013] the mail holds every field, whatever it is made of', () => {
  const link = new URL(mailLink(application, model))
  assert.equal(link.pathname, 'jobs@site.example')
  assert.equal(link.hash, '')
  assert.deepEqual([...link.searchParams.keys()], ['subject', 'body'])
  assert.equal(link.searchParams.get('subject'), 'Application: DevOps Engineer, Zoë & Søn <z@x>')
  assert.equal(
    link.searchParams.get('body'),
    [
      'Application to Brandname',
      '',
      'Position: DevOps Engineer',
      'Application Type: Full-time',
      'Full Name: Zoë & Søn <z@x>',
      'Email Address: zoe@site.example',
      'Phone Number: not given',
      'Location/Timezone: Lisbon, UTC+0',
      'Years of Experience: 8+ (Expert)',
      'Portfolio/GitHub URL: https://site.example/?a=1&b=2#c',
      'Resume Link: https://site.example/résumé.pdf',
      'Availability: 2 weeks',
      '',
      'Cover Letter:',
      '',
      'First line.',
      '100 % sure? "Yes" & no: 日本語 🙂',
      '',
      'Last line.',
      '',
    ].join('\r\n'),
  )
})

test('RFC 6068 §5: no + stands for a space and every line ends with %0D%0A', () => {
  const link = mailLink(application, model)
  assert.doesNotMatch(link, /\+| |%0D(?!%0A)|(?<!%0D)%0A/)
  assert.match(link, /UTC%2B0%0D%0A/)
})

test('[OPEN-013] the file holds the same text', async () => {
  const saved = await fetch(fileLink(application, model)).then(response => response.text())
  assert.equal(saved, applicationText(application, model))
  assert.ok(saved.includes(application.coverLetter))
})

test('a field may hold the name of a property every object has', () => {
  assert.match(applicationText({ ...application, experience: 'constructor' }, model), /Experience: constructor\n/)
})
