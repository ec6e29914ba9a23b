{{- define "quizaine.labels" -}}
app.kubernetes.io/name: quizaine
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "quizaine.selector" -}}
app.kubernetes.io/name: quizaine
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quizaine.secret" -}}
{{ .Values.existingSecret | default (printf "%s-quizaine" .Release.Name) }}
{{- end }}
