import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import type { PrefilledRole } from '#domain/prefilled-links/link-parameters.ts'
import {
  MERGE_TAGS,
  rolesOf,
  SAMPLE_PERSON,
  writePrefilledLink,
} from '#domain/prefilled-links/write-link.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { trialLinkQuery } from '#web/trial-runs/trial-run-queries.ts'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ChosenReplies } from './chosen-replies.tsx'
import { publishedQuestionsQuery } from './published-questions.ts'
import { RowOfLinks } from './row-of-links.tsx'

/** Shows the form that writes a prefilled link of a published quiz, and a row of links for a mail. */
const PrefilledLinks = ({ quiz, link }: { quiz: Pick<Quiz, 'id'>; link: string }) => {
  const questions = useQuery(publishedQuestionsQuery(quiz.id))
  if (questions.data) return <LinkForm quizId={quiz.id} link={link} questions={questions.data} />
  return questions.error ? (
    <LoadFailure text="Les questions n’ont pas pu être chargées." query={questions} />
  ) : (
    <Loading text="Chargement des questions…" />
  )
}

export default PrefilledLinks

type Tool = ProviderName | 'none'

const TOOLS: { value: Tool; label: string }[] = [
  { value: 'none', label: 'Aucun : le même lien pour tous' },
  ...PROVIDERS.map((value) => ({ value, label: PROVIDER_LABELS[value] })),
]

const ROLE_LABELS: Record<PrefilledRole, string> = { ...CONTACT_ROLE_LABELS, email: 'Email' }

/** Returns what a tool writes into the link, as a sentence below the choice of the tool. */
const personHint = (tool: Tool, questions: readonly SnapshotQuestion[]): string => {
  if (tool === 'none') return 'Le lien ne contient que les réponses choisies ci-dessous.'
  const roles = rolesOf(questions).filter((role) => MERGE_TAGS[tool][role])
  if (roles.length === 0)
    return `Aucune question ne demande une coordonnée que ${PROVIDER_LABELS[tool]} connaît.`
  const names = roles.map((role) => ROLE_LABELS[role].toLowerCase()).join(', ')
  return `${PROVIDER_LABELS[tool]} écrit pour chaque personne : ${names}.`
}

const samplePerson = (tool: Tool): Partial<Record<PrefilledRole, string>> =>
  tool === 'none'
    ? {}
    : Object.fromEntries(
        Object.keys(MERGE_TAGS[tool]).map((role) => [role, SAMPLE_PERSON[role as PrefilledRole]]),
      )

const LinkForm = ({
  quizId,
  link,
  questions,
}: {
  quizId: string
  link: string
  questions: readonly SnapshotQuestion[]
}) => {
  const [tool, setTool] = useState<Tool>('none')
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const trial = useQuery(trialLinkQuery(quizId))
  const content = { person: tool === 'none' ? {} : MERGE_TAGS[tool], chosen }
  const sample = { person: samplePerson(tool), chosen }
  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Outil qui envoie l’email"
        hint={personHint(tool, questions)}
        value={tool}
        options={TOOLS}
        onChange={setTool}
      />
      <ChosenReplies questions={questions} chosen={chosen} onChange={setChosen} />
      <LinkField
        label="Lien prérempli à coller"
        link={writePrefilledLink(link, questions, content)}
      >
        {trial.data && (
          <OutsideLink
            href={writePrefilledLink(trial.data.url, questions, sample)}
            icon={<ExternalLink aria-hidden="true" />}
          >
            Essayer
          </OutsideLink>
        )}
      </LinkField>
      <RowOfLinks
        link={link}
        trial_link={trial.data?.url}
        questions={questions}
        content={content}
        sample={sample}
      />
    </div>
  )
}
