import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import { createOwner } from '../accounts/auth-client.ts'
import type { Attack, AttackContext } from '../runner/attack.ts'
import { send, submit } from '../runner/requests.ts'

const splitWords = (text: string): string[] => text.trim().split(/\s+/)

/** Endings with which an attacker, a mail or a program damages the address of a quiz. */
const ENDINGS = splitWords(`
  / // . , ) ] %20 %22 %C2%A0%C2%BB %E2%80%9D %E2%80%99 %E9 % %2
  %0A %0D%0A =%0D%0A %0D%0ALocation:%20https://evil.example %00 %E2%80%8B # %23
  &utm_source=x &amp;utm_source=x %3Futm_source%3Dx ??r=1 /?embed=1 /. /./ %2F
`)
/** Addresses that must lead neither to another site nor to the screens of creators. */
const ODD_ADDRESSES = [
  ...splitWords(`
    /q//evil.example //q//evil.example /q/%2F%2Fevil.example /q/%5Cevil.example /q/\\evil.example
    /q/https://evil.example /q/@evil.example /q/..%2f..%2flogin /q/%2e%2e/login /q/?next=//evil.example
    /q /q/ /q/. /Q/ /q&x=1 /desinscription//evil.example /attestation/%2F%2Fevil.example
    /statistiques/%5C%5Cevil.example
  `),
  `/q/${'%2F'.repeat(4_000)}x`,
  `/q/${'.'.repeat(12_000)}x`,
]
/** Texts to which no mail can be sent. */
const MALFORMED_EMAILS = [
  ...splitWords(`
    jean jean@ @exemple.fr jean@exemple a@b@c.fr a@127.0.0.1 jean@[::1]
    a@b..fr a@.fr a@b.fr. <a@b.fr> mailto:a@b.fr é@b.fr a@b,fr a@b.1
    a@b.fr,c@d.fr a@b.fr;c@d.fr "a"@b.fr a@b.fr%0a a@localhost
  `),
  'a b@c.fr',
  'a@b.fr\nBcc: c@d.fr',
  `${'a'.repeat(250)}@b.fr`,
]
const MAX_STEPS = 3
const MAX_WAIT_MS = 2_000
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Follows an address as a browser does. Returns the reason why the journey is a success of the attacker. */
const findBadJourney = async (origin: string, path: string): Promise<string | undefined> => {
  let address = path
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { status, ms, headers } = await send(origin + address, { headers: BROWSER })
    if (status >= 500) return `status ${status}`
    if (ms > MAX_WAIT_MS) return `an answer after ${Math.round(ms)} ms`
    const location = headers.get('location')
    if (location === null) return undefined
    if (!/^\/(?![/\\])/.test(location)) return `a redirect to ${location}`
    if (location.startsWith('/login')) return 'the sign-in page'
    address = location
  }
  return `more than ${MAX_STEPS} redirects`
}

/** Publishes a quiz on the site that confirms sign-ups by mail. */
const publishQuiz = async (context: AttackContext) => {
  const { origin } = await context.configuredSite('with_confirmation')
  const { access_token } = await createOwner(context, origin)
  return { origin, quiz: await publishedScoreQuiz(clientOf(origin, access_token)) }
}

const openDamagedAddresses = async (context: AttackContext): Promise<string[]> => {
  const { origin, quiz } = await publishQuiz(context)
  const { id } = quiz
  const token = 'Ab-_'.repeat(16)
  const intact = [
    `/q/${id}`,
    `/q/${id.toUpperCase()}`,
    `/q/${id}/rapport/${token}`,
    `/q/${id}/ma-page/${token}`,
  ]
  const damaged = [
    ...intact.flatMap((address) => ENDINGS.map((end) => address + end)),
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
  const { origin, quiz } = await publishQuiz(context)
  const choice = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
  const successes: string[] = []
  for (const text of MALFORMED_EMAILS)
    for (const body of [
      { answers: { ...choice, [quiz.open_id]: text } },
      { answers: { ...choice, [quiz.open_id]: 'a@b.fr' }, email: text },
    ]) {
      const { status } = await submit(origin, quiz.id, body)
      if (status !== 422) successes.push(`${JSON.stringify(text.slice(0, 40))} got ${status}`)
    }
  context.note(`${MALFORMED_EMAILS.length * 2} submissions`)
  return successes
}

/** Attacks through links that people pass on, and through addresses that visitors type. */
export const damagedLinks: Attack[] = [
  { name: 'a damaged address of a quiz leads elsewhere', run: openDamagedAddresses },
  { name: 'a malformed email address is stored', run: storeMalformedEmails },
]
