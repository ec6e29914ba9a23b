import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PROVIDERS, type QuestionType } from '#domain/common/vocabulary.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { canBeRow, linkRowOf, rowToHtml, rowToText } from './link-row.ts'
import { prefilledReplies } from './prefilled-replies.ts'
import { splitQuery } from './read-link.ts'
import {
  choiceValue,
  MERGE_TAGS,
  parameterOf,
  SAMPLE_PERSON,
  writePrefilledLink,
} from './write-link.ts'

const LINK = 'https://quiz.example/q/avis'

const ask = (
  id: string,
  type: QuestionType,
  options: Partial<SnapshotQuestion> & { texts?: string[] } = {},
): SnapshotQuestion => {
  const { texts = [], ...rest } = options
  return {
    id,
    type,
    text: id,
    position: 0,
    global_position: 0,
    page_number: 1,
    ...rest,
    answers: texts.map((text, rank) => ({
      id: `${id}-${rank}`,
      text,
      position: rank,
      score: null,
      associations: [],
    })),
  }
}

const fill = (questions: readonly SnapshotQuestion[], link: string) =>
  prefilledReplies(questions, splitQuery(new URL(link).search).values, 2026)

const QUESTIONS = [
  ask('first', 'text', { contact_role: 'first_name', label: 'prénom' }),
  ask('last', 'text', { contact_role: 'last_name' }),
  ask('mail', 'email'),
  ask('tel', 'phone', { contact_role: 'phone' }),
  ask('note', 'scale', { label: '3', scale_min: 0, scale_max: 10 }),
  ask('one', 'multiple_choice', { texts: ['Oui', 'Non|Peut-être', '1'] }),
]

describe('a written link', () => {
  for (const tool of PROVIDERS)
    test(`the tags of ${tool} are ignored until the tool replaces them`, () => {
      const link = writePrefilledLink(LINK, QUESTIONS, { person: MERGE_TAGS[tool], chosen: {} })
      assert.ok(!/%7B|\s/.test(link), link)
      assert.deepEqual(fill(QUESTIONS, link), {})
      const replaced = Object.entries(MERGE_TAGS[tool]).reduce(
        (text, [role, tag]) =>
          text.replace(tag, encodeURIComponent(SAMPLE_PERSON[role as keyof typeof SAMPLE_PERSON])),
        link,
      )
      assert.equal(fill(QUESTIONS, replaced).first, SAMPLE_PERSON.first_name)
      assert.equal(fill(QUESTIONS, replaced).mail, SAMPLE_PERSON.email)
    })

  test('a question is named by its short name, or by its number if the name looks like one', () => {
    assert.deepEqual(
      QUESTIONS.map((question) => parameterOf(QUESTIONS, question)),
      ['q.prénom', 'q.2', 'q.3', 'q.4', 'q.5', 'q.6'],
    )
  })

  test('a link without values is the public link, and a query is kept', () => {
    assert.equal(writePrefilledLink(LINK, QUESTIONS, { person: {}, chosen: {} }), LINK)
    const chosen = { note: '9', one: '' }
    assert.equal(
      writePrefilledLink(`${LINK}?test=x`, QUESTIONS, { person: {}, chosen }),
      `${LINK}?test=x&q.5=9`,
    )
  })

  test('the value of an answer always chooses this answer, whatever its words are', () => {
    const texts = fc.uniqueArray(
      fc.oneof(
        fc.string({ minLength: 1 }),
        fc.constantFrom('1', '2', '3', 'Oui', 'oui', 'Oüi', 'a|b', 'C++', '{x}', 'Autre : x', ' '),
      ),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(texts, fc.boolean(), (words, isSeveral) => {
        const question = ask('x', 'multiple_choice', {
          texts: words,
          has_other: true,
          ...(isSeveral && { max_choices: null }),
        })
        for (const answer of question.answers) {
          const chosen = { x: choiceValue(question, answer) }
          const link = writePrefilledLink(LINK, [question], { person: {}, chosen })
          const reply = fill([question], link).x
          assert.equal(reply, chosen.x === '' ? undefined : answer.id, JSON.stringify(words))
        }
      }),
    )
  })
})

describe('a row of links', () => {
  test('a row has one link for each number of a scale, and each fills in its number', () => {
    const question = QUESTIONS[4] as SnapshotQuestion
    const row = linkRowOf(LINK, QUESTIONS, question, { person: SAMPLE_PERSON, chosen: {} })
    assert.equal(row.links.length, 11)
    for (const { text, link } of row.links)
      assert.deepEqual(
        [fill(QUESTIONS, link).note, fill(QUESTIONS, link).first],
        [text, SAMPLE_PERSON.first_name],
      )
  })

  test('the HTML of a row is a table whose texts are escaped, with colours that Outlook shows', () => {
    const question = ask('<b>', 'scale', { scale_min_label: '<i>', scale_max_label: '"Très"' })
    const html = rowToHtml(
      linkRowOf(LINK, [question], question, { person: MERGE_TAGS.brevo, chosen: {} }),
    )
    assert.equal(html.match(/<td align="center" bgcolor="#[0-9a-f]{6}" width="\d+">/g)?.length, 11)
    assert.ok(!/<b>|<i>|"Très"/.test(html))
    assert.match(html, /^<p style="[^"]*">&lt;b&gt;<\/p><table role="presentation"/)
    assert.equal(
      html.match(/<t(?:d|r|able)[ >]/g)?.length,
      html.match(/<\/t(?:d|r|able)>/g)?.length,
    )
  })

  test('only scales and choices of one answer with words can be a row', () => {
    assert.deepEqual(QUESTIONS.map(canBeRow), [false, false, false, false, true, true])
    assert.equal(canBeRow(ask('x', 'multiple_choice', { texts: ['a', ' '] })), false)
    assert.equal(
      canBeRow(ask('x', 'multiple_choice', { texts: ['a', 'b'], max_choices: null })),
      false,
    )
  })

  test('the text of a row names each answer with its link', () => {
    const question = QUESTIONS[5] as SnapshotQuestion
    const text = rowToText(linkRowOf(LINK, QUESTIONS, question, { person: {}, chosen: {} }))
    assert.equal(
      text,
      `one\nOui : ${LINK}?q.6=Oui\nNon|Peut-être : ${LINK}?q.6=Non%7CPeut-%C3%AAtre\n1 : ${LINK}?q.6=1`,
    )
  })
})
