import { PersonForm } from './person-form.tsx'
import { RetentionForm } from './retention-form.tsx'

/** What participants have a right to: not to be kept for ever, to have their data, to be forgotten. */
export const PersonalData = ({ quizId }: { quizId: string }) => (
  <section aria-labelledby="personal-data" className="flex flex-col gap-4">
    <h2 id="personal-data" className="text-lg font-semibold">
      Données personnelles
    </h2>
    <div className="grid gap-4 lg:grid-cols-2">
      <RetentionForm quizId={quizId} />
      <PersonForm />
    </div>
  </section>
)
