/** Fills a running server with a demo: a creator, three questionnaires, forty participants each. */
import { RefusedCall } from '#contract/client.ts'
import { clientOf } from './http-client.ts'
import { buildDemo } from './seed/build-demo.ts'
import { DEMO, signIn } from './seed/creator.ts'
import { createGenerator, replyTo } from './seed/participants.ts'
import { profilsQuiz } from './seed/profils-quiz.ts'
import { scoreQuiz } from './seed/score-quiz.ts'
import { sondage } from './seed/sondage.ts'

const PARTICIPANTS = 40

const seed = async (origin: string): Promise<void> => {
  const client = clientOf(origin, await signIn(origin))
  const visitor = clientOf(origin)
  const { quizzes } = await client.quizzes.list()
  const random = createGenerator(2026)
  for (const demo of [sondage, profilsQuiz, scoreQuiz]) {
    if (quizzes.some(({ name }) => name === demo.name)) {
      console.log(`Already there: ${demo.name}`)
      continue
    }
    const { id, questions } = await buildDemo(client, demo)
    for (let rank = 0; rank < PARTICIPANTS; rank++)
      await visitor.taking.submit({
        id,
        body: { answers: replyTo(demo, questions, { rank, random }) },
      })
    console.log(`${demo.name}: ${origin}/q/${id}`)
  }
  console.log(`\nSign in at ${origin}/login as ${DEMO.email}, password ${DEMO.password}`)
}

const origin = process.argv[2] ?? process.env.PUBLIC_URL ?? 'http://localhost:3000'
try {
  await seed(origin)
} catch (error) {
  // What fetch throws when nobody listens there.
  if (error instanceof TypeError)
    console.error(`No server answers on ${origin}: run npm start first.`)
  else if (error instanceof RefusedCall) console.error(`${error.status} ${error.message}`)
  else console.error(error)
  process.exit(1)
}
