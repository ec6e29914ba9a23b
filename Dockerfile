# syntax=docker/dockerfile:1
# Builds the browser's files with all packages, then runs with production packages only, under an account that may write only
# DATA_DIR. docs/operations.md

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /srv/quizaine
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.ts

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /srv/quizaine
COPY package.json package-lock.json .npmrc ./
COPY ops/prune-packages ./ops/
RUN npm ci --omit=dev --no-audit --no-fund && ops/prune-packages .

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data DRAIN_SECONDS=5
WORKDIR /srv/quizaine
COPY --from=packages /srv/quizaine/node_modules ./node_modules
COPY --from=build /srv/quizaine/dist ./dist
COPY package.json ./
COPY src ./src
COPY scripts ./scripts
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Starts node directly, because npm would not forward signals to the server.
CMD ["node", "src/server/main.ts"]
