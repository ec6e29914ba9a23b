import { setTimeout as pause } from 'node:timers/promises'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { MAX_NETWORK_MAILS } from '../runner/measured-site.ts'
import { submit } from '../runner/requests.ts'

const MAX_MAILS_PER_QUIZ = 3
const SETTLE_MS = 15_000

const toFullWidth = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0))

/** Returns different spellings of the address camille@exemple.fr, which all belong to one mailbox. */
const listSpellings = (): string[] => {
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
 * Submits a quiz with result mails once with each address, from the network that `networkOf` returns. Waits until no
 * further mail arrives, and returns the recipients.
 */
const submitWithAddresses = async (
  context: AttackContext,
  addresses: readonly string[],
  networkOf: (rank: number) => string,
): Promise<string[]> => {
  const { site, client } = await context.openAccount()
  const quiz = await readyScoreQuiz(client)
  await client.quizzes.publish({ id: quiz.id })
  await client.quizMails.set({
    id: quiz.id,
    body: { sends_result: true, subject: 'Votre résultat', text: 'Bonjour {{résultat}}' },
  })
  const before = site.mails().length
  for (const [rank, email] of addresses.entries()) {
    const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email }
    await submit(site.origin, quiz.id, { answers, email }, networkOf(rank))
  }
  let count = -1
  while (count !== site.mails().length) {
    count = site.mails().length
    await pause(SETTLE_MS)
  }
  const sent = site.mails().slice(before)
  assertPrecondition(sent.length > 0, 'no mail was sent')
  return sent.map(({ to }) => to)
}

const floodMailbox = async (context: AttackContext): Promise<string[]> => {
  const addresses = [...listSpellings(), ...IP_HOSTS]
  const sent = await submitWithAddresses(context, addresses, (rank) => `192.0.2.${rank % 250}`)
  context.note(`${sent.length} mails for ${addresses.length} spellings`)
  const successes: string[] = []
  const sent_to_ip_hosts = sent.filter((to) => to.startsWith('a@'))
  const sent_to_mailbox = sent.filter((to) => !sent_to_ip_hosts.includes(to))
  if (sent_to_mailbox.length > MAX_MAILS_PER_QUIZ)
    successes.push(
      `${sent_to_mailbox.length} mails were sent to one mailbox: ${[...new Set(sent_to_mailbox)].join(', ')}`,
    )
  if (sent_to_ip_hosts.length > 0)
    successes.push(`mails were sent to ${sent_to_ip_hosts.join(', ')}`)
  return successes
}

const NB_ADDRESSES = 80

const floodFromNetwork = async (context: AttackContext): Promise<string[]> => {
  const addresses = Array.from({ length: NB_ADDRESSES }, (_, rank) => `v${rank}@exemple.fr`)
  const sent = await submitWithAddresses(context, addresses, () => '203.0.113.77')
  context.note(`${sent.length} mails for ${NB_ADDRESSES} addresses from one network`)
  return sent.length <= MAX_NETWORK_MAILS
    ? []
    : [`one network caused ${sent.length} mails to different addresses`]
}

/** Attacks that send many mails to one mailbox or from one network. */
export const mailFloods: Attack[] = [
  { name: 'different spellings of one address get many mails', run: floodMailbox },
  { name: 'one network causes mails to many addresses', run: floodFromNetwork },
]
