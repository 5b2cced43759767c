# Built pages and installed packages in a first stage; the second holds what runs and nothing else.
FROM node:24-slim AS build
WORKDIR /assay
# What the built pages hold; everything else is said when the image is run.
ARG ASSAY_BRAND ASSAY_AUTH_BASE
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && node apps/web/build.ts \
 && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
WORKDIR /assay
ENV NODE_ENV=production ASSAY_LISTEN=0.0.0.0:8080 ASSAY_DATA=/data
COPY --from=build --chown=node:node /assay /assay
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/main.ts"]
