# Touchstone as a program: docs/scale.md has the two commands.
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# What is packed for npm, with the dependencies that the lockfile names.
RUN npm run build \
 && npm pack --pack-destination /tmp \
 && mkdir /package \
 && tar -xzf /tmp/touchstone-*.tgz -C /package --strip-components=1 \
 && cp package-lock.json .npmrc /package/ \
 && npm ci --omit=dev --prefix /package

FROM node:22.23.3-bookworm-slim
COPY --from=build /package /opt/touchstone
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/touchstone/bin/touchstone.js"]
CMD ["--help"]
