import type { ComponentType } from 'react'
import { lazyFields } from '#web/ui/lazy-fields.tsx'
import type { WayProps } from './way-props.ts'

type Way = {
  key: string
  /** Its button, and the title of the dialog once it is chosen. */
  label: string
  explanation: string
  Panel: ComponentType<WayProps>
  /** Whether it needs two columns. */
  isWide?: boolean
}

/** The ways to begin with something that is there already. */
export const WAYS: readonly Way[] = [
  {
    key: 'models',
    label: 'Partir d’un modèle',
    explanation: 'Douze questionnaires prêts à publier, à adapter à votre activité.',
    Panel: lazyFields<WayProps>(
      () => import('./models/model-gallery.tsx'),
      'Les modèles n’ont pas pu être chargés.',
    ),
  },
  {
    key: 'text',
    label: 'Coller un texte',
    explanation: 'Un questionnaire écrit comme une note, avec son aperçu à côté.',
    Panel: lazyFields<WayProps>(
      () => import('./text-way/text-way.tsx'),
      'Cette fenêtre n’a pas pu être chargée.',
    ),
    isWide: true,
  },
]
