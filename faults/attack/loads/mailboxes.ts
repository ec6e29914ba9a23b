import { setTimeout as pause } from 'node:timers/promises'
import { readyScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { type Attack, needs, type Scene } from '../attack.ts'
import { MAX_NETWORK_MAILS } from '../measured-site.ts'

/** One mailbox under many spellings. */

const MAX_MAILS_PER_QUIZ = 3
const SETTLE_MS = 15_000

const toFullWidth = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0))

/** Addresses that all reach camille@exemple.fr, or reach nobody. */
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

const floodMailbox = async (scene: Scene): Promise<string[]> => {
  const site = await scene.measured()
  const { client } = await site.creator()
  const quiz = await readyScoreQuiz(client)
  await client.quizzes.publish({ id: quiz.id })
  await client.quizMails.set({
    id: quiz.id,
    body: { sends_result: true, subject: 'Votre résultat', text: 'Bonjour {{résultat}}' },
  })
  const before = site.mails().length
  let rank = 0
  for (const email of [...spellings(), ...IP_HOSTS]) {
    rank += 1
    const response = await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${rank % 250}` },
      body: JSON.stringify({
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email },
        email,
      }),
    })
    await response.arrayBuffer()
  }
  // Mails leave behind the answers: the count is taken once no further one has come for a while.
  let count = -1
  while (count !== site.mails().length) {
    count = site.mails().length
    await pause(SETTLE_MS)
  }
  const sent = site.mails().slice(before)
  needs(sent.length > 0, 'no mail was sent at all')
  scene.note(`${sent.length} mails for ${rank} spellings`)
  const got: string[] = []
  const addresses = sent.map(({ to }) => to)
  const mailbox = addresses.filter((to) => !/^a@/.test(to))
  if (mailbox.length > MAX_MAILS_PER_QUIZ)
    got.push(`${mailbox.length} mails to one mailbox: ${[...new Set(mailbox)].join(', ')}`)
  const hosts = addresses.filter((to) => /^a@/.test(to))
  if (hosts.length > 0) got.push(`mails to ${hosts.join(', ')}`)
  return got
}

const NETWORK_ADDRESSES = 80

const floodFromNetwork = async (scene: Scene): Promise<string[]> => {
  const site = await scene.measured()
  const { client } = await site.creator()
  const quiz = await readyScoreQuiz(client)
  await client.quizzes.publish({ id: quiz.id })
  await client.quizMails.set({
    id: quiz.id,
    body: { sends_result: true, subject: 'Votre résultat', text: 'Bonjour' },
  })
  const before = site.mails().length
  for (let rank = 0; rank < NETWORK_ADDRESSES; rank++) {
    const email = `victime${rank}@exemple.fr`
    const response = await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.77' },
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
  const sent = site.mails().length - before
  scene.note(`${sent} mails for ${NETWORK_ADDRESSES} addresses from one network`)
  return sent <= MAX_NETWORK_MAILS ? [] : [`one network has ${sent} mails sent to strangers`]
}

export const mailboxes: Attack[] = [
  { name: 'spellings of one mailbox multiply its mails', run: floodMailbox },
  { name: 'one network mails many strangers', run: floodFromNetwork },
]
