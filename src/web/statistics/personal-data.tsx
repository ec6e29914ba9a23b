import { Link } from 'react-router'
import { PersonForm } from './person-form.tsx'
import { RetentionForm } from './retention-form.tsx'

/** The participants' rights: limited retention, access to their data, and deletion. */
export const PersonalData = ({ quizId }: { quizId: string }) => (
  <section aria-labelledby="personal-data" className="flex flex-col gap-4">
    <h2 id="personal-data" className="text-lg font-semibold">
      Données personnelles
    </h2>
    <Link to={`/quiz/${quizId}/envois`} className="self-start text-brand underline">
      Envois vers vos outils d’emailing
    </Link>
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] gap-4">
      <RetentionForm quizId={quizId} />
      <PersonForm />
    </div>
  </section>
)
