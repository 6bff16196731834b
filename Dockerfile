# The storefront as an image; docs/hosting.md says how to run it. Nothing in it is the owner's: /app/own has the catalogue,
# /data the customers' data. tests/container runs these instructions without a container engine, and knows no others.

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# They bring their own Node, so that the image below needs neither Node nor npm. Removed: second copies of Node and Deno,
# which are linked files here but not in the image, and TypeScript, an optional peer of Astro.
RUN npm ci --omit=dev && rm -rf node_modules/.cache node_modules/@deno node_modules/node/node_modules node_modules/typescript && find node_modules -name '*.map' -delete

FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
WORKDIR /app
ENV PATH=/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# The port is open inside the container's network only, and the proxy beside it is the one that says who connects.
ENV HOST=0.0.0.0
ENV PORT=4321
ENV TRUSTED_PROXIES=1
ENV DATA_DIR=/data
# The program belongs to root; the user can write the owner's files, the data and the build.
RUN useradd --uid 1000 --home-dir /data --shell /usr/sbin/nologin storefront && mkdir -p own .builds .astro /data && ln -s .builds/live dist && chown storefront:storefront own .builds .astro /data && chmod 700 /data
COPY --from=packages /app/node_modules node_modules
COPY LICENSE package.json package-lock.json astro.config.mjs cli.mjs tsconfig.json ./
COPY public public
COPY supabase supabase
COPY admin-app admin-app
COPY src src
COPY process process
COPY config config
COPY site-builder site-builder
COPY server server
COPY commands commands
USER storefront
VOLUME ["/app/own", "/data"]
EXPOSE 4321
# A first start builds the pages, which takes minutes with thousands of names.
HEALTHCHECK --interval=30s --timeout=10s --start-period=15m CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "commands/start.ts"]
