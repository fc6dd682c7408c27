#!/usr/bin/env bash
# Installs what grading needs, once, with a network, as root or with sudo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/course"
as_root="$([ "$(id -u)" = 0 ] || echo sudo)"
$as_root apt-get update -qq
$as_root apt-get install -qq -y --no-install-recommends bubblewrap libseccomp2 curl ca-certificates
if [ ! -x .venv/bin/python ]; then # with a Python of its own: the system's may be too old
  curl -LsSf https://astral.sh/uv/install.sh | env UV_INSTALL_DIR="$PWD/.uv" UV_NO_MODIFY_PATH=1 sh
  UV_PYTHON_INSTALL_DIR="$PWD/.uv/python" .uv/uv venv --seed --python 3.12 .venv
fi
.venv/bin/python tools/set_up.py
