import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect } from './fixtures.ts'

/** A questionnaire with one payload in every text field of its creator and its visitors. */
export type Hostile = { id: string; question_id: string; answer_id: string; typed: string[] }

/** Creates and publishes a hostile questionnaire with an enabled email tool, so that the consent box is shown. */
export const createHostileQuiz = async (client: Client, text: string): Promise<Hostile> => {
  const { quiz } = await client.quizzes.create({ body: { name: text, type: 'quiz' } })
  const { id } = quiz
  const [low, high] = [randomUUID(), randomUUID()]
  const [question_id, answer_id, other_id] = [randomUUID(), randomUUID(), randomUUID()]
  const open = (['text', 'textarea', 'phone', 'number', 'email'] as const).map((type) => ({
    id: randomUUID(),
    text,
    type,
    page_number: 2,
  }))
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: text, description: text },
        { id: high, name: `${text} 2`, description: text },
      ],
    },
  })
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        {
          id: question_id,
          text,
          type: 'multiple_choice',
          answers: [
            { id: answer_id, text, score: 1 },
            { id: other_id, text: `${text} 2`, score: 5 },
          ],
        },
        ...open,
      ],
      text_blocks: [{ content: text, page_number: 1 }],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 4 },
        [high]: { min_score: 5, max_score: 9 },
      },
    },
  })
  await client.quizzes.update({
    id,
    body: { consent_mode: 'box', consent_text: text, kit_custom_field: text },
  })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await client.quizzes.publish({ id })
  return { id, question_id, answer_id, typed: open.map((question) => question.id) }
}

/** Submits the payload in every field. The email address holds those of its characters that an address may have. */
export const submitHostile = (
  client: Client,
  { id, question_id, answer_id, typed }: Hostile,
  text: string,
) => {
  const email = `a${text.replaceAll(/[^\w.!#$%&'*+/=?^`{|}~-]/g, '').slice(0, 200)}@exemple.fr`
  const answers = Object.fromEntries(typed.map((question) => [question, text]))
  const email_id = typed.at(-1) ?? ''
  return client.publicQuiz.submit({
    id,
    body: { answers: { ...answers, [question_id]: answer_id, [email_id]: email }, email },
  })
}

/** Records dialogs, errors and policy violations: every sign that a payload ran or was blocked. */
export const watchExecutions = async (context: BrowserContext): Promise<string[]> => {
  const seen: string[] = []
  context.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  context.on('weberror', (error) => seen.push(`error: ${error.error().message}`))
  context.on('request', (request) => {
    if (request.url().includes('pwn')) seen.push(`request: ${request.url()}`)
  })
  await context.exposeBinding('tellViolation', (_, text: string) => seen.push(text))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      Reflect.get(
        window,
        'tellViolation',
      )(`violation: ${effectiveDirective} ${blockedURI} ${sample}`),
    )
  })
  return seen
}

/** Lists the elements, attributes, addresses and styles that only an injection can have added. */
export const findInjections = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = [
      ...document.querySelectorAll(
        '[data-pwn], base, meta[http-equiv], iframe[srcdoc], object, embed',
      ),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200))
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        const isAddress = /^(?:href|src|action|formaction|data|xlink:href)$/.test(name)
        const runs = isAddress && /^[\s\p{Cc}]*j[\s]*a[\s]*v[\s]*a[\s]*script:/iu.test(value)
        if (name.startsWith('on') || runs) found.push(`${element.localName} ${name}=${value}`)
      }
      if (getComputedStyle(element).getPropertyValue('--pwn') !== '')
        found.push(`a style reached ${element.localName}`)
    }
    return found
  })

/** Expects the payload on the screen, as text or as the value of a field; French spacing may differ. */
export const expectShown = async (page: Page, text: string): Promise<void> => {
  const flat = (value: string): string => value.replaceAll(/\s+/gu, '')
  await expect
    .poll(async () =>
      flat(
        await page.evaluate(() =>
          [
            document.body.textContent,
            ...[...document.querySelectorAll('input, textarea')].map((field) =>
              field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
                ? field.value
                : '',
            ),
          ].join(' '),
        ),
      ),
    )
    .toContain(flat(text))
}
