import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Model } from 'survey-core'
import { Survey } from 'survey-react-ui'
import 'survey-core/survey-core.css'
import questions from './questions.json'

/** The questions of the measured quiz, as SurveyJS's own pages show how to embed it. */
createRoot(document.getElementById('survey')).render(
  createElement(Survey, { model: new Model(questions) }),
)
