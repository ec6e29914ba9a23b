import { RefusedCall } from '#contract/client/client.ts'
import { clientOf } from './http-client.ts'
import { buildDemo } from './seed/build-demo.ts'
import { DEMO, signIn } from './seed/creator.ts'
import { arrivalOf, createGenerator, replyTo, visit } from './seed/participants.ts'
import { profilsQuiz } from './seed/profils-quiz.ts'
import { scoreQuiz } from './seed/score-quiz.ts'
import { sondage } from './seed/sondage.ts'
import { wheel } from './seed/wheel.ts'

/** Number of participants of each questionnaire of the demo. */
const PARTICIPANTS = 40

/** Adds a demo to a running server: a creator and four questionnaires with participants. */
const seed = async (origin: string): Promise<void> => {
  const client = clientOf(origin, await signIn(origin))
  const visitor = clientOf(origin)
  const { quizzes } = await client.quizzes.list()
  const random = createGenerator(2026)
  const arrivals = createGenerator(7)
  for (const demo of [sondage, profilsQuiz, scoreQuiz, wheel]) {
    const known = quizzes.find(({ name }) => name === demo.name)
    if (known) {
      console.log(`${demo.name}: already there, with ${known.nb_responses} participants`)
      continue
    }
    const { id, questions } = await buildDemo(client, demo)
    for (let rank = 0; rank < PARTICIPANTS; rank++)
      await visitor.publicQuiz.submit({
        id,
        body: { answers: replyTo(demo, questions, { rank, random }), ...arrivalOf(arrivals) },
      })
    const quiz_url = `${origin}/q/${id}`
    await visit(quiz_url, {
      nb_pages: demo.pages.length,
      nb_participants: PARTICIPANTS,
      random: arrivals,
    })
    console.log(`${demo.name}: ${quiz_url}`)
  }
  console.log(`\nSign in at ${origin}/login as ${DEMO.email}, password ${DEMO.password}`)
}

/** Returns a one-line error message that tells the user how to proceed. */
const explain = (error: unknown, address: string): string => {
  if (error instanceof RefusedCall) return `${error.status} ${error.message}`
  if (error instanceof SyntaxError) return `What answers on ${address} is not Quizaine.`
  if (!URL.canParse(address)) return `${address} is not the address of a server.`
  // `fetch` throws this error if no server listens.
  if (error instanceof TypeError && error.message === 'fetch failed')
    return `No server answers on ${address}: run npm start first.`
  return error instanceof Error ? error.message : String(error)
}

const address = process.argv[2] || process.env.PUBLIC_URL || 'http://localhost:3000'
try {
  await seed(new URL(address).origin)
} catch (error) {
  console.error(explain(error, address))
  process.exit(1)
}
