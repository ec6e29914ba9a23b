import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import {
  abbreviate,
  createSceneAttacks,
  expectStatus,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Days that do not exist, are far away or are written in another form. */
const INVALID_DAYS = [
  '-0001-01-01',
  '-2026-01-01',
  '0000-01-01',
  '0202-01-01',
  '01/01/0202',
  '99999-01-01',
  '+012026-01-01',
  '２０２６-０１-０１',
  '٢٠٢٦-٠١-٠١',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '31/04/2026',
  '1799-12-31',
  '2200-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01\u0000',
  '1e3',
  'NaN',
  'constructor',
]
/** Times that do not exist, are far away or are written in another form. */
const INVALID_TIMES = [
  '-000001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0202-06-01T00:00:00Z',
  '1999-12-31T23:59:59Z',
  '3001-01-01T00:00:00Z',
  '+099999-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '+275760-09-14T00:00:00Z',
  '２０２６-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+99:99',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'constructor',
]

const DATE_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'a day that does not exist or is far away is stored as a reply',
    async ({ origin, client }) => {
      const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
      const { question } = await client.questions.create({
        id,
        body: { text: 'Quel jour ?', type: 'date', page_number: 1 },
      })
      await client.quizzes.publish({ id })
      const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'a@exemple.fr' }
      const submit = (day: string) =>
        send(`${origin}/api/v1/quizzes/${id}/submit`, {
          body: { answers: { ...answers, [question.id]: day } },
        })
      const plain = await submit('2026-01-31')
      assertPrecondition(plain.status === 201, `a plain day is answered ${plain.status}`)
      return sendEach(INVALID_DAYS, submit, expectStatus(422))
    },
  ],
  [
    'a quiz opens or closes at a time that does not exist or is far away',
    (scene) =>
      sendEach(
        INVALID_TIMES.flatMap((time) => [{ opens_at: time }, { closes_at: time }]),
        (body) =>
          send(`${scene.origin}/api/v1/quizzes/${scene.quiz.id}`, {
            method: 'PUT',
            body,
            token: scene.access_token,
          }),
        expectStatus(422),
      ),
  ],
  [
    'a filter of days or times breaks the statistics',
    (scene) =>
      sendEach(
        [...INVALID_DAYS, ...INVALID_TIMES].flatMap((time) =>
          ['from', 'to', 'since', 'until', 'day', 'period'].map(
            (name) => `${name}=${encodeURIComponent(time)}`,
          ),
        ),
        (query) =>
          send(`${scene.origin}/api/v1/quizzes/${scene.quiz.id}/responses?figures=1&${query}`, {
            token: scene.access_token,
          }),
        () => undefined,
      ),
  ],
  [
    'a text opens a quiz at a date that does not exist or is far away',
    async ({ client }) => {
      const successes: string[] = []
      for (const day of INVALID_DAYS)
        for (const key of ['Ouverture', 'Clôture']) {
          const text = `# x\nType : sondage\n${key} : ${day}\n`
          const { quiz } = await client.quizzes
            .importText({ body: { text } })
            .catch(() => ({ quiz: undefined }))
          // A text may write a time in UTC.
          if (quiz && !day.endsWith('T00:00:00Z'))
            successes.push(`${key} ${abbreviate(day)}: ${quiz.opens_at ?? quiz.closes_at}`)
        }
      return successes
    },
  ],
]

/** Attacks through days and times. */
export const dateAttacks = createSceneAttacks(openQuizScene, DATE_ATTACKS)
