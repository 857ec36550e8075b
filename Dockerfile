# mcp-bench in a container of its own: docker build -t mcp-bench . && docker run --rm mcp-bench --version
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm run build
RUN mkdir -p /packed && npm pack --ignore-scripts --pack-destination /packed

FROM node:22-slim
COPY --from=build /packed /packed
RUN npm install --global --no-audit --no-fund /packed/mcp-bench-*.tgz && rm -r /packed
# Results are written to the working folder: mount one that this user may write to.
RUN mkdir -p /bench/results && chown -R node:node /bench
USER node
WORKDIR /bench
ENTRYPOINT ["mcp-bench"]
CMD ["--help"]
