#!/usr/bin/env bash
# `--trainer ms-swift` with the real ms-swift. $SWIFT_PYTHON: an environment that has it already.
exec bash "$(dirname "$0")/trainers/train.sh" ms-swift "${SWIFT_PYTHON:-}" python3 ms-swift==4.6.0
