FROM python:3.12-slim AS build
WORKDIR /src
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml hatch_build.py native_build.py native_build.h README.md LICENSE requirements.lock ./
COPY web web
COPY src src
RUN KICKDOOR_COMPILE=1 pip wheel --no-cache-dir -c requirements.lock --wheel-dir /wheels '.[postgres]'

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'kickdoor[postgres]' && rm -r /wheels \
    && useradd -m table && install -d -o table -g table /home/table/.local/share/kickdoor
USER table
# The journal, where it is a file, and the archive: what lies in a container is gone with it.
VOLUME /home/table/.local/share/kickdoor
EXPOSE 8765
CMD ["kickdoor", "serve", "--host", "0.0.0.0"]
