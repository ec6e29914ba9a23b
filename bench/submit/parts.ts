import { type Comparing, compareRates } from './compare.ts'
import { makeQuiz } from './quiz.ts'
import { createRequests } from './requests.ts'

/** How much of its rate a quiz keeps that has every part there is, beside one that has none, one ratio a round. */
export const compareParts = async (comparing: Comparing): Promise<number[]> =>
  compareRates(comparing, {
    name: 'every part',
    plain: createRequests(await makeQuiz(comparing.origin)),
    whole: createRequests(await makeQuiz(comparing.origin, true)),
  })
