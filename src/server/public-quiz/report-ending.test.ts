import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { parseRichText } from '#contract/parse-rich-text.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { reportDocument } from '#domain/reports/report-document.ts'
import { correctionsOf } from '#domain/run/corrections/corrections.ts'
import { shownDimensions } from '#domain/run/dimensions.ts'
import { readTexts } from '#domain/run/rich-text.ts'
import { computeResult, PUBLIC_RULES, shownResults } from '#domain/run/scoring.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { reportedRuns } from '#domain/testing/reported-runs.ts'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import { writePdf } from '#server/reports/pdf/write-pdf.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { readPdfBody, withoutSpace } from '#server/testing/pdf/read-pdf.ts'
import { loadPlayerBuild, type PlayerBuild } from './player-build.ts'

// Starts early, because its tests take more than 15 s.

const DAY = '26 novembre 2026'
const NB_RUNS = countCases(100)
const { player_folder, remove } = buildPlayer()
const heavyWork = createHeavyWork()
after(async () => {
  await heavyWork.close()
  remove()
})

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Returns the sentences that markup shows, one for each paragraph, heading, item or button, without white space. */
const sentencesOf = (html: string): string[] =>
  html
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<\/?(?:p|h1|h2|ul|ol|li|div|section|br)(?:\s[^>]*)?>/g, '\n')
    .replaceAll(/<a class="q-(?:next|link)"[^>]*>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
    .split('\n\n')
    .join('\n')
    .split('\n')
    .map(withoutSpace)
    .filter(Boolean)

/** Controls of the end page, which a document on paper does not have. */
const CONTROLS = /<div class="q-steps(?: q-docs)?">[\s\S]*?<\/div>/g
const CORRECTIONS = /<section class="q-corrections"[\s\S]*?<\/section>/

/** Returns the sentences of the end of a run, and the sentences of each of its corrections. */
const readEnding = (body: string): { sentences: string[]; corrections: string[][] } => {
  const [ending = ''] = /<section class="q-ending">[\s\S]*<\/section>(?=<\/div>)/.exec(body) ?? []
  const [corrections = ''] = CORRECTIONS.exec(ending) ?? []
  const plain = ending.replace(CORRECTIONS, '').replaceAll(CONTROLS, '')
  const [, ...items] = corrections.split(/<li>(?=<p class="q-question")/)
  return { sentences: sentencesOf(plain), corrections: items.map(sentencesOf) }
}

/** Returns the position after a sentence in the text of a document. */
const positionAfter = (sentence: string, words: string, from: number): number => {
  const at = words.indexOf(sentence, from)
  assert.ok(at >= 0, `« ${sentence} » is not in « ${words.slice(from, from + 300)} »`)
  return at + sentence.length
}

/** Text of a mark behind an answer of a correction, such as « (votre réponse, juste) ». */
const MARK = /\((?:(?:votre|ta)réponse,(?:juste|fausse)|bonneréponse)\)$/

describe('the report of a run and the end page of the run', () => {
  let build: PlayerBuild
  before(async () => {
    build = await loadPlayerBuild(heavyWork, player_folder)
  })

  const readBoth = async ({ snapshot, replies }: { snapshot: Snapshot; replies: Replies }) => {
    const result = computeResult(snapshot, replies, PUBLIC_RULES)
    const rich = readTexts(snapshot, parseRichText)
    const taken = {
      quiz_id: randomUUID(),
      version: 1,
      snapshot,
      rich,
      is_embedded: false,
      caller: { owner: 'creator' },
    }
    const { body } = await build.renderServedEnding(taken, { result, replies })
    const document = reportDocument({ snapshot, replies, result }, DAY, parseRichText)
    const words = await readPdfBody(await writePdf(document, new Map()), document.title)
    return { ending: readEnding(body), words }
  }

  test(`every sentence of ${NB_RUNS} random end pages is in the text of the PDF, in the same order`, async () => {
    const seen = { sentences: 0, corrections: 0, dimensions: 0, variants: 0, ties: 0 }
    for (const run of fc.sample(reportedRuns, { numRuns: NB_RUNS, seed: 41 })) {
      const { snapshot, replies } = run
      const { ending, words } = await readBoth(run)
      let at = 0
      for (const sentence of ending.sentences) at = positionAfter(sentence, words, at)
      if (snapshot.quiz.report === 'replies')
        for (const [question = '', ...sentences] of ending.corrections) {
          at = positionAfter(question, words, at)
          const next = words.slice(at, nextQuestion(words, at))
          for (const sentence of sentences)
            positionAfter(sentence.replace(/^[✓✗≈–]/, '').replace(MARK, ''), next, 0)
          seen.corrections++
        }
      const result = computeResult(snapshot, replies, PUBLIC_RULES)
      seen.sentences += ending.sentences.length
      seen.dimensions += shownDimensions(snapshot, replies).length
      seen.variants += shownTexts(snapshot, 'page', finishedRunOf(snapshot, replies, result)).length
      seen.ties += Math.max(0, shownResults(snapshot, replies, PUBLIC_RULES).length - 1)
      if (snapshot.quiz.shows_corrections === 'end')
        assert.equal(ending.corrections.length, correctionsOf(snapshot.questions, replies).length)
    }
    for (const [kind, count] of Object.entries(seen))
      assert.ok(count > 0, `no ${kind} were compared`)
  })
})

/** Returns the position of the next question in the text of a document. */
const nextQuestion = (words: string, from: number): number | undefined => {
  const at = words.slice(from).search(/\d+\.Question\d+:/)
  return at < 0 ? undefined : from + at
}
