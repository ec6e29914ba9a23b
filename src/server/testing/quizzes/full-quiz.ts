import type { Client } from '#contract/client/client.ts'
import { THEMES } from '#domain/questionnaire/look/themes.ts'
import { createNoisePicture } from './pictures.ts'

/** Image ids by their place in a quiz. */
type Pictures = Record<'welcome' | 'logo' | 'background' | 'question' | 'result', string> & {
  answers: string[]
}

/** Uploads images of different sizes that compress as badly as photographs. */
export const addPictures = async (client: Client): Promise<Pictures> => {
  const add = async (width: number, height: number): Promise<string> => {
    const png = await createNoisePicture(width, height).blur(2).png().toBuffer()
    return (await client.images.add({ body: Buffer.from(png) })).image.id
  }
  return {
    welcome: await add(1_200, 800),
    logo: await add(320, 160),
    background: await add(1_200, 1_200),
    question: await add(1_000, 600),
    result: await add(1_000, 601),
    answers: await Promise.all([400, 401, 402, 403].map((width) => add(width, 400))),
  }
}

const NEXT_CENTURY = '2100-01-01T00:00:00Z'
const FAR_AWAY = 1_000_000

/** Colours of a theme, because the default button of the specification has a low contrast (2.2 : 1). */
const LOOK = THEMES.find(({ name }) => name === 'Terre cuite')?.look

/** Changes that use every optional part of a page: look, welcome texts, end button, result detail and restart. */
const PAGE = {
  ...LOOK,
  font: 'system' as const,
  welcome_title: 'Cinq minutes pour mieux vous connaître',
  welcome_text:
    'Dix questions **simples**, et un résultat *rien que pour vous* :\n- vos points forts\n- un conseil à suivre dès demain',
  welcome_button: 'C’est parti',
  end_button_text: 'Voir nos ateliers',
  end_button_url: 'https://exemple.fr/ateliers',
  shows_detail: true,
  allows_restart: true,
}

/** Publishes a quiz again with every optional part, and with images if given. Closing date and limit are far away. */
export const publishFullQuiz = async (
  client: Client,
  id: string,
  pictures?: Pictures,
): Promise<void> => {
  const { questions, text_blocks: _, results, ...rest } = await client.questions.unified({ id })
  const labels = ['agenda', 'clientèle']
  const isChoice = ({ type }: { type: string }) => type === 'multiple_choice'
  const [first, ...others] = questions.filter(isChoice)
  const last = questions.at(-1)
  const pictured = others[0]
  await client.results.saveAll({
    id,
    body: {
      results: results.map((result, rank) => ({
        ...result,
        description: `**${result.name}**, avec {{score}} points.\n\n${result.description}\n- lisez [notre guide](https://exemple.fr/guide)`,
        button_text: 'Prendre rendez-vous',
        button_url: 'https://exemple.fr/rendez-vous',
        redirect_url: `https://exemple.fr/bienvenue?profil=${rank}&points={{score}}`,
        image_id: pictures?.result ?? null,
        image_alt: pictures ? 'Une boutique au matin' : null,
      })),
    },
  })
  await client.questions.saveDraft({
    id,
    body: {
      ...rest,
      questions: questions.map((question, rank) => ({
        ...question,
        label: labels[rank] ?? null,
        ...(question === last && { text: `${question.text} Et pour « {{agenda}} » ?` }),
        ...(question === first &&
          pictures && { image_id: pictures.question, image_alt: 'Un agenda ouvert' }),
        answers: question.answers.map((answer, place) => ({
          ...answer,
          ...(question === pictured &&
            pictures && { image_id: pictures.answers[place] ?? null, image_alt: '' }),
        })),
      })),
      text_blocks: [
        {
          id: crypto.randomUUID(),
          page_number: 2,
          content: 'Vous avez répondu **{{agenda}}** : continuons.',
        },
      ],
    },
  })
  await client.quizzes.update({
    id,
    body: {
      ...PAGE,
      slug: `mesure-${id}`,
      closes_at: NEXT_CENTURY,
      max_responses: FAR_AWAY,
      ...(pictures && {
        font: 'lora',
        logo_image_id: pictures.logo,
        welcome_image_id: pictures.welcome,
        welcome_image_alt: 'Une commerçante devant sa boutique',
        background_image_id: pictures.background,
      }),
    },
  })
  await client.quizzes.publish({ id })
}
