import { Check } from 'lucide-react'

/** Renders a miniature of the product next to login and sign-up, if the width allows it at the current text size. */
export const ProductPanel = () => (
  <div className="hidden flex-1 flex-col items-center justify-center gap-10 bg-brand-wash p-10 lg:@[60rem]:flex">
    <div aria-hidden="true" className="relative h-104 w-108 select-none">
      <QuizPage />
      <Result />
    </div>
    <p className="max-w-md text-center text-xl font-medium text-balance">
      Posez vos questions, et chacun repart avec son résultat.
    </p>
  </div>
)

const CHOICES = ['Pas encore', 'À peu près', 'Oui, et on me comprend']
const CHOSEN = 'À peu près'

/** Renders a page of a quiz as on a visitor's phone. */
const QuizPage = () => (
  <div className="absolute top-0 left-0 flex h-96 w-60 flex-col gap-3 rounded-2xl bg-card p-5 shadow-float">
    <div className="h-1 rounded-full bg-press">
      <div className="h-1 w-2/5 rounded-full bg-brand" />
    </div>
    <p className="text-lg font-semibold text-balance">Votre offre tient-elle en une phrase ?</p>
    {CHOICES.map((choice) => (
      <p
        key={choice}
        className={`flex min-h-11 items-center gap-2.5 rounded-xl border px-3 ${choice === CHOSEN ? 'border-brand bg-brand-wash' : 'border-line'}`}
      >
        <span
          className={`size-4 shrink-0 rounded-full ${choice === CHOSEN ? 'border-5 border-brand bg-card' : 'border-2 border-field'}`}
        />
        {choice}
      </p>
    ))}
    <p className="mt-auto flex h-11 items-center justify-center rounded-xl bg-brand font-semibold text-on-brand">
      Suivant
    </p>
  </div>
)

const SHARES = [
  { name: 'L’audacieuse', share: 54, bar: 'bg-d2' },
  { name: 'La naturelle', share: 31, bar: 'bg-d3' },
  { name: 'L’épurée', share: 15, bar: 'bg-d1' },
]

/** Renders the result at the end of that quiz. */
const Result = () => (
  <div className="absolute right-0 bottom-0 flex w-56 flex-col gap-3 overflow-hidden rounded-2xl bg-card pb-5 shadow-float">
    <div className="flex h-20 items-end bg-linear-to-br from-apricot to-teal p-3">
      <span className="flex size-8 items-center justify-center rounded-full bg-card">
        <Check className="size-4 text-ok" />
      </span>
    </div>
    <div className="px-5">
      <p className="text-xs text-ink-2">Votre ambiance</p>
      <p className="text-lg font-semibold">L’audacieuse</p>
    </div>
    {SHARES.map(({ name, share, bar }) => (
      <div key={name} className="flex flex-col gap-1 px-5 text-xs">
        <p className="flex justify-between">
          <span>{name}</span>
          <span className="tabular-nums">{share} %</span>
        </p>
        <div className="h-2 rounded-full bg-press">
          <div className={`h-2 rounded-full ${bar}`} style={{ width: `${share}%` }} />
        </div>
      </div>
    ))}
  </div>
)
