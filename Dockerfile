# assay in a container: docker run --rm --network host assay conform http://127.0.0.1:8080
FROM node:20-bookworm-slim AS build
WORKDIR /assay
COPY . .
RUN npm ci && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /assay
COPY --from=build /assay/package.json ./
COPY --from=build /assay/node_modules ./node_modules
COPY --from=build /assay/dist ./dist
COPY --from=build /assay/schemas ./schemas
COPY --from=build /assay/fixtures/artifacts ./fixtures/artifacts
COPY --from=build /assay/fixtures/protocol/openapi.json ./fixtures/protocol/openapi.json
COPY --from=build /assay/scenarios ./scenarios
# Results go to the folder that is mounted: docker run -v "$PWD:/data" ...
WORKDIR /data
RUN chown node:node /data
USER node
# 8080 the service, 8081 its test controls, 8443 the webhook receiver
EXPOSE 8080 8081 8443
ENTRYPOINT ["node", "/assay/dist/bin/assay.js"]
CMD ["--help"]
