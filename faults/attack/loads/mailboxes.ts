import { setTimeout as pause } from 'node:timers/promises'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { MAX_NETWORK_MAILS, type MeasuredSite } from '../measured-site.ts'

/** Attacks on mailboxes: many spellings of one address, and many addresses from one network. */

const MAX_MAILS_PER_QUIZ = 3
const SETTLE_MS = 15_000

const toFullWidth = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0))

/** Lists spellings of one mailbox, camille@exemple.fr, as visitors may type them. */
const spellings = (): string[] => {
  const [name, domain] = ['camille', 'exemple.fr']
  const domains = [
    domain,
    toFullWidth(domain),
    domain.replace('.', '。'),
    domain.replace('.', '．'),
    domain.replace('.', '｡'),
    'ex\u00ademple.fr',
    'exempl\u200be.fr',
    'ⓔxemple.fr',
    'exemple.ⓕr',
    'EXEMPLE.FR',
    '𝐞xemple.fr',
    'exemple.fr.',
    'e\u2060xemple.fr',
    '\ufeffexemple.fr',
    'exemple\u034f.fr',
  ]
  const names = [name, name.toUpperCase(), toFullWidth(name), `${name}+1`, `\u200b${name}`]
  return domains.flatMap((host) => names.map((local) => `${local}@${host}`))
}

const IP_HOSTS = [
  'a@127.1',
  'a@2130706433',
  'a@[127.0.0.1]',
  'a@0x7f.1',
  'a@localhost',
  'a@exemple',
]

/**
 * Answers a quiz with result mails once with each address, each time from the network that `networkOf` names. Returns the
 * addresses that mails went to, once no further mail has come for a while.
 */
const answerWith = async (
  site: MeasuredSite,
  addresses: readonly string[],
  networkOf: (rank: number) => string,
): Promise<string[]> => {
  const { client } = await site.creator()
  const quiz = await readyScoreQuiz(client)
  await client.quizzes.publish({ id: quiz.id })
  await client.quizMails.set({
    id: quiz.id,
    body: { sends_result: true, subject: 'Votre résultat', text: 'Bonjour {{résultat}}' },
  })
  const before = site.mails().length
  for (const [rank, email] of addresses.entries()) {
    const response = await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': networkOf(rank) },
      body: JSON.stringify({
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email },
        email,
      }),
    })
    await response.arrayBuffer()
  }
  let count = -1
  while (count !== site.mails().length) {
    count = site.mails().length
    await pause(SETTLE_MS)
  }
  const sent = site.mails().slice(before)
  assertPrecondition(sent.length > 0, 'no mail was sent at all')
  return sent.map(({ to }) => to)
}

const floodMailbox = async (context: AttackContext): Promise<string[]> => {
  const addresses = [...spellings(), ...IP_HOSTS]
  const site = await context.measured()
  const sent = await answerWith(site, addresses, (rank) => `192.0.2.${rank % 250}`)
  context.note(`${sent.length} mails for ${addresses.length} spellings`)
  const got: string[] = []
  const hosts = sent.filter((to) => to.startsWith('a@'))
  const mailbox = sent.filter((to) => !hosts.includes(to))
  if (mailbox.length > MAX_MAILS_PER_QUIZ)
    got.push(`${mailbox.length} mails to one mailbox: ${[...new Set(mailbox)].join(', ')}`)
  if (hosts.length > 0) got.push(`mails to ${hosts.join(', ')}`)
  return got
}

const NETWORK_ADDRESSES = 80

const floodFromNetwork = async (context: AttackContext): Promise<string[]> => {
  const strangers = Array.from({ length: NETWORK_ADDRESSES }, (_, rank) => `v${rank}@exemple.fr`)
  const sent = await answerWith(await context.measured(), strangers, () => '203.0.113.77')
  context.note(`${sent.length} mails for ${NETWORK_ADDRESSES} addresses from one network`)
  return sent.length <= MAX_NETWORK_MAILS
    ? []
    : [`one network has ${sent.length} mails sent to strangers`]
}

/** Attacks that send many mails to one mailbox or from one network. */
export const mailboxes: Attack[] = [
  { name: 'spellings of one mailbox multiply its mails', run: floodMailbox },
  { name: 'one network mails many strangers', run: floodFromNetwork },
]
