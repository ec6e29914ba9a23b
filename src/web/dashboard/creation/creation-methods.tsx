import type { ComponentType } from 'react'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import type { CreationPanelProps } from './quiz-kinds.ts'

type CreationMethod = {
  key: string
  /** The text of its button, and the title of the dialog after a choice. */
  label: string
  explanation: string
  Panel: ComponentType<CreationPanelProps>
  /** True if the panel needs two columns. */
  isWide?: boolean
}

/** Key of the panel of texts, which also shows converted files. */
export const TEXT_METHOD = 'text'

/** The ways to create a questionnaire from existing content. */
export const CREATION_METHODS: readonly CreationMethod[] = [
  {
    key: 'models',
    label: 'Partir d’un modèle',
    explanation: 'Seize questionnaires prêts à publier, à essayer puis à adapter.',
    Panel: lazyPart<CreationPanelProps>(
      () => import('#web/dashboard/templates/template-gallery.tsx'),
      'Les modèles n’ont pas pu être chargés.',
    ),
    isWide: true,
  },
  {
    key: TEXT_METHOD,
    label: 'Coller un texte',
    explanation: 'Un questionnaire écrit comme une note, par vous ou par votre assistant.',
    Panel: lazyPart<CreationPanelProps>(
      () => import('./text-import.tsx'),
      'Cette fenêtre n’a pas pu être chargée.',
    ),
    isWide: true,
  },
]
