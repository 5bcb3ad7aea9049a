{{/* The prefix of every name. */}}
{{- define "gleaner.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Labels that a selector may hold on to: (dict "root" $ "component" "api"). */}}
{{- define "gleaner.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "gleaner.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{ include "gleaner.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: gleaner
{{- end -}}

{{- define "gleaner.serviceAccountName" -}}
{{ include "gleaner.fullname" .root }}-{{ .component }}
{{- end -}}

{{- define "gleaner.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* What a restricted namespace asks of a pod and a container. */}}
{{- define "gleaner.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "gleaner.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{/* Where the store is, as environment variables. */}}
{{- define "gleaner.redisEnv" -}}
{{- if .Values.redis.enabled -}}
- name: REDIS_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ include "gleaner.fullname" . }}-redis, key: password}}
- name: GLEANER_REDIS_URL
  value: redis://:$(REDIS_PASSWORD)@{{ include "gleaner.fullname" . }}-redis:6379
{{- else if .Values.redis.external.existingSecret.name -}}
- name: GLEANER_REDIS_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.redis.external.existingSecret.name }}, key: {{ .Values.redis.external.existingSecret.key }}}}
{{- else -}}
- name: GLEANER_REDIS_URL
  value: {{ required "redis.external.url or redis.external.existingSecret.name is needed where redis.enabled is false" .Values.redis.external.url | quote }}
{{- end }}
{{- if and (not .Values.redis.enabled) .Values.redis.external.caSecret.name }}
- name: GLEANER_REDIS_CA_FILE
  value: /etc/gleaner/redis-ca/{{ .Values.redis.external.caSecret.key }}
{{- end }}
{{- end -}}

{{- define "gleaner.commonEnv" -}}
- name: GLEANER_LOG
  value: {{ .Values.log.level | quote }}
- name: GLEANER_ADMIN_LISTEN
  value: 0.0.0.0:9090
{{ include "gleaner.redisEnv" . }}
{{- with .Values.webhooks.allowCidrs }}
- name: GLEANER_WEBHOOK_ALLOW_CIDRS
  value: {{ join "," . | quote }}
{{- end }}
{{- if .Values.webhooks.allowHttp }}
- name: GLEANER_WEBHOOK_ALLOW_HTTP
  value: "true"
{{- end }}
- name: GLEANER_WEBHOOK_CAP
  value: {{ .Values.webhooks.perTenant | quote }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What tokens may be at most: the controller and the API hold them to it. */}}
{{- define "gleaner.tokenLimitsEnv" -}}
{{- with .Values.limits.tokenMaxLifetime }}
- name: GLEANER_TOKEN_MAX_LIFETIME
  value: {{ . | quote }}
{{- end }}
{{- with .Values.limits.tokenAllowedScopes }}
- name: GLEANER_TOKEN_ALLOWED_SCOPES
  value: {{ join "," . | quote }}
{{- end }}
{{- end -}}

{{/* Path under which the API is published; empty: all of a host. */}}
{{- define "gleaner.pathPrefix" -}}
{{- if .Values.api.ingress.enabled -}}
{{ trimSuffix "/" .Values.api.ingress.path }}
{{- else if .Values.api.httpRoute.enabled -}}
{{ trimSuffix "/" .Values.api.httpRoute.path }}
{{- end -}}
{{- end -}}

{{/* Volumes and mounts that every Gleaner pod has: (dict "root" $ "values" .Values.api). */}}
{{- define "gleaner.volumes" -}}
{{- if and (not .root.Values.redis.enabled) .root.Values.redis.external.caSecret.name }}
- name: redis-ca
  secret: {secretName: {{ .root.Values.redis.external.caSecret.name }}}
{{- end }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gleaner.volumeMounts" -}}
{{- if and (not .root.Values.redis.enabled) .root.Values.redis.external.caSecret.name }}
- {name: redis-ca, mountPath: /etc/gleaner/redis-ca, readOnly: true}
{{- end }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Placement and naming that Deployments share: (dict "root" $ "component" "api" "values" .Values.api). */}}
{{- define "gleaner.podPlacement" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .values.topologySpreadConstraints }}
{{ toYaml .values.topologySpreadConstraints | indent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "gleaner.selectorLabels" . | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Startup and liveness ask only the process; readiness asks the store as well. */}}
{{- define "gleaner.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 3
  timeoutSeconds: 4
  failureThreshold: 2
{{- end -}}
