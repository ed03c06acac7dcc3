#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes the virtual environment of the peers that tests/bench compares with.
# Nothing of it is used by the programs or by the test suite.
#
#   setup_peers.sh [--models] [--llama] [FOLDER]
#
#   FOLDER    default ${XDG_CACHE_HOME:-~/.cache}/headscope/peers
#   --models  also torch, transformers and gguf (extract_transformers.py)
#   --llama   also llama-cpp-python, built here in some 4 minutes
#
# Every part can be added later by a second call; what is there is kept.
set -eu

# Versions are pinned because a ratio against "the newest" means nothing a
# year later. Change them on purpose, together with the tables in README.md.
numeric='numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 openTSNE==1.0.4 h5py==3.16.0'
torch_version=2.11.0
models='transformers==5.23.0 tokenizers==0.23.3 safetensors==0.8.0 gguf==0.19.0'
llama='llama-cpp-python==0.3.36'
cuda=${CUDA_HOME:-/usr/local/cuda}

folder=${XDG_CACHE_HOME:-$HOME/.cache}/headscope/peers
want_models=no
want_llama=no
for argument in "$@"; do
    case $argument in
        --models) want_models=yes ;;
        --llama) want_llama=yes ;;
        -h | --help) sed -n '3,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) echo "setup_peers.sh: unknown option $argument" >&2; exit 2 ;;
        *) folder=$argument ;;
    esac
done

python=${PYTHON:-python3}
[ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
pip="$folder/bin/python -m pip install --quiet --disable-pip-version-check"

$pip $numeric

if [ "$want_models" = yes ] || [ "$want_llama" = yes ]; then
    $pip gguf==0.19.0
fi
if [ "$want_models" = yes ]; then
    # The wheel of torch asks for gigabytes of CUDA libraries that a CPU run never opens. With a
    # CUDA 13 toolkit on the machine, the few that the loader insists on come from there.
    if [ -d "$cuda/lib64" ]; then
        $pip --no-deps torch==$torch_version nvidia-cusparselt-cu13==0.8.0 \
            nvidia-nvshmem-cu13==3.4.5 nvidia-cufile==1.20.0.107 \
            sympy mpmath networkx jinja2 markupsafe 'setuptools<82' filelock typing_extensions fsspec
    else
        $pip torch==$torch_version
    fi
    $pip $models
fi
if [ "$want_llama" = yes ]; then
    $pip $llama
fi

# peer-python: the interpreter with the library folders that torch needs.
site=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cat > "$folder/bin/peer-python" <<END
#!/bin/sh
export LD_LIBRARY_PATH="$cuda/lib64:$site/nvidia/cufile/lib:$site/nvidia/cu13/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
export HF_HUB_OFFLINE=1
exec "$folder/bin/python" "\$@"
END
chmod +x "$folder/bin/peer-python"
echo "$folder/bin/peer-python"
