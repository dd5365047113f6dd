# syntax=docker/dockerfile:1
# Cairn for linux/amd64 and linux/arm64: docker buildx build --platform linux/amd64,linux/arm64 --tag cairn .
# It takes the environment of the Stacks Blockchain API as it is, so that it can replace that image by name.

FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
WORKDIR /cairn
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/codec/package.json packages/codec/
COPY packages/devnet/package.json packages/devnet/
COPY explorer/package.json explorer/
COPY test/generated-client test/generated-client
RUN npm ci
COPY . .
RUN npm run build

# Binaries of optional packages are those of the target platform. The image includes the S3 client: without the mark "optional",
# npm installs it as the lock file has it.
FROM node:22-bookworm-slim AS dependencies
WORKDIR /cairn
COPY package.json package-lock.json .npmrc ./
COPY packages/codec/package.json packages/codec/
COPY packages/devnet/package.json packages/devnet/
COPY test/generated-client test/generated-client
RUN npm pkg delete devDependencies peerDependenciesMeta && npm pkg set workspaces='["packages/*"]' --json && npm install && rm -rf test

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="Cairn" \
      org.opencontainers.image.description="The indexing API of the Stacks blockchain" \
      org.opencontainers.image.licenses="Apache-2.0"
# The allocator of glibc keeps what large events have used, unless it is told to give it back.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    MALLOC_TRIM_THRESHOLD_=1048576
# The names of the incumbent: a value that a user sets, by either name, replaces them.
ENV NODE_ENV=production \
    STACKS_BLOCKCHAIN_API_HOST=0.0.0.0 \
    STACKS_CORE_EVENT_HOST=0.0.0.0 \
    CAIRN_METRICS_HOST=0.0.0.0 \
    CAIRN_DATA_DIR=/data \
    CAIRN_LOG_FORMAT=json
WORKDIR /cairn
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /cairn ./
COPY --from=build /cairn/packages/codec/dist packages/codec/dist
COPY --from=build /cairn/packages/devnet/dist packages/devnet/dist
COPY --from=build /cairn/dist dist
COPY --from=build /cairn/explorer/dist explorer/dist
COPY docs/*.md docs/response-examples.json docs/
COPY docs/guides docs/guides
COPY LICENSE THIRD-PARTY-NOTICES.txt packaging/docker/healthcheck.mjs ./
USER node
# The only folder that is written to, and only by the embedded database; the root filesystem may be read-only.
VOLUME /data
EXPOSE 3999 3700 9153
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "healthcheck.mjs"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
