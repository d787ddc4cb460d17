#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_datatrove.py local|ray|slurm|extract|several ARCHIVES OUT SPLIT_BYTES: a pipeline of datatrove, four tasks."""

import sys

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor, SlurmPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers import JsonlWriter

import danatext
from danatext.datatrove import DanaExtractor, DanaReader


class Pages(PipelineStep):
    """Pages as WarcReader gives them: the HTML as text."""

    type, name = "📖 - READER", "pages"

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def run(self, data=None, rank=0, world_size=1):
        import pathlib

        for path in sorted(pathlib.Path(self.folder).glob("*.warc.gz"))[rank::world_size]:
            for page in danatext.open(path, html=True, method="plain"):
                yield Document(text=page.html, id=page.made_id, metadata={"url": page.url})


def main(how, archives, out, split):
    rejects = JsonlWriter(f"{out}/rejects")
    reader = DanaReader(archives, glob_pattern="*.warc.gz", split_bytes=int(split) or None, exclusion_writer=rejects)
    pipeline = [reader, JsonlWriter(f"{out}/docs")]
    if how == "extract":
        pipeline = [Pages(archives), DanaExtractor(), JsonlWriter(f"{out}/docs")]
    if how == "several":
        pipeline = [Pages(archives), DanaExtractor(method=["learned", "danag", "plain"]), JsonlWriter(f"{out}/docs")]
    if how == "slurm":
        executor = SlurmPipelineExecutor(
            pipeline, tasks=4, time="00:10:00", partition="all", logging_dir=f"{out}/logs", mem_per_cpu_gb=1, qos="normal",
            env_command=f"export PATH={sys.prefix}/bin:$PATH", job_name="dana",
        )  # fmt: skip
    elif how == "ray":
        import ray
        from datatrove.executor import RayPipelineExecutor

        ray.init(num_cpus=2, include_dashboard=False)
        executor = RayPipelineExecutor(pipeline, tasks=4, workers=2, mem_per_cpu_gb=1, logging_dir=f"{out}/logs")
    else:
        executor = LocalPipelineExecutor(pipeline, tasks=4, workers=2, logging_dir=f"{out}/logs")
    executor.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
