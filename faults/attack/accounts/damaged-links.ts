import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import type { Attack, AttackContext } from '../attack.ts'
import { createPerson } from './auth-client.ts'

/** Endings with which an attacker, a mail or a program damages the address of a quiz. */
const ENDINGS = [
  ...[
    '/',
    '//',
    '.',
    ',',
    ')',
    ']',
    '%20',
    '%22',
    '%C2%A0%C2%BB',
    '%E2%80%9D',
    '%E2%80%99',
    '%E9',
    '%',
    '%2',
  ],
  ...[
    '%0A',
    '%0D%0A',
    '=%0D%0A',
    '%0D%0ALocation:%20https://evil.example',
    '%00',
    '%E2%80%8B',
    '#',
    '%23',
  ],
  ...[
    '&utm_source=x',
    '&amp;utm_source=x',
    '%3Futm_source%3Dx',
    '??r=1',
    '/?embed=1',
    '/.',
    '/./',
    '%2F',
  ],
]
/** Addresses that must lead neither to another site nor to the screens of creators. */
const ODD_ADDRESSES = [
  ...[
    '/q//evil.example',
    '//q//evil.example',
    '/q/%2F%2Fevil.example',
    '/q/%5Cevil.example',
    '/q/\\evil.example',
  ],
  ...[
    '/q/https://evil.example',
    '/q/@evil.example',
    '/q/..%2f..%2flogin',
    '/q/%2e%2e/login',
    '/q/?next=//evil.example',
  ],
  ...[
    '/q',
    '/q/',
    '/q/.',
    '/Q/',
    '/q&x=1',
    '/desinscription//evil.example',
    '/attestation/%2F%2Fevil.example',
  ],
  ...[
    '/statistiques/%5C%5Cevil.example',
    `/q/${'%2F'.repeat(4_000)}x`,
    `/q/${'.'.repeat(12_000)}x`,
  ],
]
/** Texts to which no mail can be sent. */
const MALFORMED_EMAILS = [
  ...[
    'jean',
    'jean@',
    '@exemple.fr',
    'jean@exemple',
    'a@b@c.fr',
    'a@127.0.0.1',
    'jean@[::1]',
    'a b@c.fr',
  ],
  ...[
    'a@b..fr',
    'a@.fr',
    'a@b.fr.',
    '<a@b.fr>',
    'mailto:a@b.fr',
    'é@b.fr',
    'a@b,fr',
    'a@b.1',
    'a@b.fr\nBcc: c@d.fr',
  ],
  ...[
    'a@b.fr,c@d.fr',
    'a@b.fr;c@d.fr',
    '"a"@b.fr',
    'a@b.fr%0a',
    'a@localhost',
    `${'a'.repeat(250)}@b.fr`,
  ],
]
const MAX_STEPS = 3
const MAX_WAIT_MS = 2_000
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Follows an address as a browser does. Returns the reason why the journey is a success of the attacker. */
const findBadJourney = async (origin: string, path: string): Promise<string | undefined> => {
  let address = path
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const started = performance.now()
    const answer = await fetch(origin + address, { redirect: 'manual', headers: BROWSER })
    await answer.arrayBuffer()
    if (answer.status >= 500) return `status ${answer.status}`
    if (performance.now() - started > MAX_WAIT_MS)
      return `an answer took more than ${MAX_WAIT_MS} ms`
    const location = answer.headers.get('location')
    if (location === null) return undefined
    if (!/^\/(?![/\\])/.test(location)) return `a redirect to ${location}`
    if (location.startsWith('/login')) return 'the sign-in page'
    address = location
  }
  return `more than ${MAX_STEPS} redirects`
}

const damageAddresses = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('with_confirmation')
  const creator = await createPerson(context, origin)
  const { id } = await publishedScoreQuiz(clientOf(origin, creator.access_token))
  const token = 'Ab-_'.repeat(16)
  const clean = [
    `/q/${id}`,
    `/q/${id.toUpperCase()}`,
    `/q/${id}/rapport/${token}`,
    `/q/${id}/ma-page/${token}`,
  ]
  const damaged = [
    ...clean.flatMap((address) => ENDINGS.map((end) => address + end)),
    ...ODD_ADDRESSES,
  ]
  const successes: string[] = []
  for (const address of damaged) {
    const reason = await findBadJourney(origin, address)
    if (reason) successes.push(`${address.slice(0, 80)} leads to ${reason}`)
  }
  context.note(`${damaged.length} addresses`)
  return successes
}

const storeMalformedEmails = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('with_confirmation')
  const creator = await createPerson(context, origin)
  const quiz = await publishedScoreQuiz(clientOf(origin, creator.access_token))
  const choice = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
  const successes: string[] = []
  for (const text of MALFORMED_EMAILS)
    for (const body of [
      { answers: { ...choice, [quiz.open_id]: text } },
      { answers: { ...choice, [quiz.open_id]: 'a@b.fr' }, email: text },
    ]) {
      const { status } = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (status !== 422) successes.push(`${JSON.stringify(text.slice(0, 40))} got ${status}`)
    }
  context.note(`${MALFORMED_EMAILS.length * 2} submissions`)
  return successes
}

/** Attacks through links that people pass on, and through addresses that visitors type. */
export const damagedLinks: Attack[] = [
  { name: 'a damaged address of a quiz leads elsewhere', run: damageAddresses },
  { name: 'a malformed email address is stored', run: storeMalformedEmails },
]
