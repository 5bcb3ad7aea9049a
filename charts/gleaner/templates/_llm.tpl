{{/* Who extracts, as environment variables; the same for the workers and for `helm test`. */}}
{{- define "gleaner.llmEnv" -}}
{{- $llm := .Values.extractor.llm -}}
- name: GLEANER_EXTRACTOR
  value: llm
- name: GLEANER_LLM_URL
  value: {{ $llm.url | quote }}
- name: GLEANER_LLM_MODEL
  value: {{ $llm.model | quote }}
{{- with $llm.existingSecret.name }}
- name: GLEANER_LLM_KEY
  valueFrom: {secretKeyRef: {name: {{ . }}, key: {{ $llm.existingSecret.key }}}}
{{- end }}
- name: GLEANER_LLM_CONTEXT_TOKENS
  value: {{ $llm.contextTokens | int64 | quote }}
- name: GLEANER_LLM_MAX_TOKENS
  value: {{ $llm.maxTokens | int64 | quote }}
- name: GLEANER_LLM_TIMEOUT_S
  value: {{ $llm.timeoutSeconds | int64 | quote }}
- name: GLEANER_LLM_CONCURRENCY
  value: {{ $llm.concurrency | int64 | quote }}
{{- if $llm.caSecret.name }}
- name: GLEANER_LLM_CA_FILE
  value: /etc/gleaner/llm-ca/{{ $llm.caSecret.key }}
{{- end }}
{{- with $llm.extraHeaders }}
- name: GLEANER_LLM_EXTRA_HEADERS
  value: |-
    {{- range $name, $value := . }}
    {{ $name }}: {{ $value }}
    {{- end }}
{{- end }}
{{- end -}}

{{/* What the workers share among each other. */}}
{{- define "gleaner.llmLimitsEnv" -}}
{{- $llm := .Values.extractor.llm -}}
- name: GLEANER_LLM_TOKENS_PER_MINUTE
  value: {{ $llm.tokensPerMinute | int64 | quote }}
- name: GLEANER_LLM_TENANT_TOKENS_PER_MINUTE
  value: {{ $llm.tenantTokensPerMinute | int64 | quote }}
{{- with $llm.tenants }}
- name: GLEANER_LLM_TENANTS
  value: {{ join "," . | quote }}
{{- end }}
{{- end -}}

{{- define "gleaner.llmVolumes" -}}
{{- if and (eq .Values.extractor.kind "llm") .Values.extractor.llm.caSecret.name -}}
- name: llm-ca
  secret: {secretName: {{ .Values.extractor.llm.caSecret.name }}}
{{- end -}}
{{- end -}}

{{- define "gleaner.llmVolumeMounts" -}}
{{- if and (eq .Values.extractor.kind "llm") .Values.extractor.llm.caSecret.name -}}
- {name: llm-ca, mountPath: /etc/gleaner/llm-ca, readOnly: true}
{{- end -}}
{{- end -}}

{{/* The port of the endpoint: the URL's own, or that of its scheme. */}}
{{- define "gleaner.llmPort" -}}
{{- $url := urlParse .Values.extractor.llm.url -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- end -}}

{{/* The way to the endpoint, as an egress rule. */}}
{{- define "gleaner.llmEgress" -}}
- ports: [{port: {{ include "gleaner.llmPort" . }}}]
{{- with .Values.extractor.llm.to }}
  to: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end -}}
