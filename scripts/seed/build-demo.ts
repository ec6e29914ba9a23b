import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Client } from '#contract/client/client.ts'
import { NO_IMAGE } from '#domain/questionnaire/defaults.ts'
import type { ImageFields, Question } from '#domain/questionnaire/quiz.ts'
import type { Demo } from './demo.ts'
import { SCENES, type Scene } from './scenes.ts'

/** Creates and publishes one questionnaire of the demo, and returns its id and its stored questions. */
export const buildDemo = async (
  client: Client,
  demo: Demo,
): Promise<{ id: string; questions: Question[] }> => {
  if (demo.text !== undefined) return buildFromText(client, demo.text)
  const { quiz } = await client.quizzes.create({ body: { name: demo.name, type: demo.type } })
  const { id } = quiz
  const pictureOf = await keepScenes(client, demo)
  const { welcome_scene, logo_scene, ...page } = demo.page
  const welcome = pictureOf(welcome_scene)
  await client.quizzes.update({
    id,
    body: {
      ...page,
      welcome_image_id: welcome.image_id,
      welcome_image_alt: welcome.image_alt,
      logo_image_id: pictureOf(logo_scene).image_id,
    },
  })
  const results = demo.results.map(({ scene, ...result }) => ({
    id: randomUUID(),
    ...result,
    ...pictureOf(scene),
  }))
  await client.results.saveAll({ id, body: { results } })
  const idOf = (name: string): string => {
    const result = results.find((candidate) => candidate.name === name)
    if (!result) throw new Error(`The demo has no result named ${name}`)
    return result.id
  }
  const items = demo.pages.flatMap((page, index) =>
    page.map((item) => ({ ...item, page_number: index + 1 })),
  )
  const placed = items.map((item, global_position) => ({ ...item, global_position }))
  const { questions } = await client.questions.saveDraft({
    id,
    body: {
      questions: placed.flatMap((item) => {
        if (!('question' in item)) return []
        const { question: text, type, options, page_number, global_position, answers = [] } = item
        return {
          text,
          type,
          ...options,
          page_number,
          global_position,
          answers: answers.map((answer) => ({
            text: answer.text,
            score: answer.score,
            jump_to: answer.jump_to,
            ...pictureOf(answer.scene),
            associations: (answer.results ?? []).map((name) => ({
              result_id: idOf(name),
              is_checked: true,
            })),
          })),
        }
      }),
      text_blocks: placed.flatMap((item) =>
        'text_block' in item
          ? {
              content: item.text_block,
              page_number: item.page_number,
              global_position: item.global_position,
            }
          : [],
      ),
    },
  })
  await client.quizzes.publish({ id })
  return { id, questions }
}

const buildFromText = async (
  client: Client,
  text: string,
): Promise<{ id: string; questions: Question[] }> => {
  const { quiz } = await client.quizzes.importText({ body: { text } })
  const { questions } = await client.drafts.get({ id: quiz.id })
  await client.quizzes.publish({ id: quiz.id })
  return { id: quiz.id, questions }
}

/** Uploads the images of a demo, and returns their fields by name. */
const keepScenes = async (
  client: Client,
  { page, results, pages }: Demo,
): Promise<(scene: Scene | undefined) => ImageFields> => {
  const answers = pages.flat().flatMap((item) => ('question' in item ? (item.answers ?? []) : []))
  const shown = [page.welcome_scene, page.logo_scene, ...[...results, ...answers].map(sceneOf)]
  const ids = new Map<Scene, string>()
  for (const scene of new Set(shown)) {
    if (!scene) continue
    const body = new Uint8Array(await sharp(Buffer.from(SCENES[scene].svg)).png().toBuffer())
    const { image } = await client.images.add({ body })
    ids.set(scene, image.id)
  }
  return (scene) => {
    const image_id = scene && ids.get(scene)
    return scene && image_id ? { image_id, image_alt: SCENES[scene].alt } : NO_IMAGE
  }
}

const sceneOf = ({ scene }: { scene?: Scene }): Scene | undefined => scene
