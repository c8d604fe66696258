"""Runs a zip Lambda function as a plain child process that speaks the Lambda Runtime API.

Test use only: no isolation, no memory limit, no freezing between invocations.
"""
import json
import logging
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

LOG = logging.getLogger(__name__)
BOOTSTRAP = Path(__file__).with_name("bootstrap.mjs")
API = "/2018-06-01/runtime"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def _reply(self, status, headers=None, body=b""):
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        ex = self.server.executor
        if self.path != f"{API}/invocation/next":
            return self._reply(404)
        ex.ready.set()
        item = ex.pending.get()
        if item is None:
            return self._reply(410)
        headers, body = item
        self._reply(200, headers, body)

    def do_POST(self):
        ex = self.server.executor
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == f"{API}/init/error":
            ex.init_error = body
            ex.ready.set()
        elif self.path.endswith("/response"):
            ex.done.put((self.path.split("/")[-2], body, False))
        elif self.path.endswith("/error"):
            ex.done.put((self.path.split("/")[-2], body, True))
        else:
            return self._reply(404)
        self._reply(202)


class ProcessRuntimeExecutor(RuntimeExecutor):
    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id, function_version)
        self.pending: queue.Queue = queue.Queue()
        self.done: queue.Queue = queue.Queue()
        self.ready = threading.Event()
        self.init_error: bytes | None = None
        self.lines: list[str] = []
        self.process: subprocess.Popen | None = None
        self.server: ThreadingHTTPServer | None = None
        self.env: dict = {}

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass

    @classmethod
    def validate_environment(cls) -> bool:
        return shutil.which(os.environ.get("LAMBDA_PROCESS_NODE", "node")) is not None

    def get_address(self) -> str:
        return "127.0.0.1"

    def get_endpoint_from_executor(self) -> str:
        return "127.0.0.1"

    def get_runtime_endpoint(self) -> str:
        port = self.server.server_port if self.server else 0
        return f"http://127.0.0.1:{port}"

    def start(self, env_vars: dict) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.server.daemon_threads = True
        self.server.executor = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.env = {str(k): str(v) for k, v in env_vars.items() if v is not None}
        self._spawn()

    def _spawn(self) -> None:
        code = self.function_version.config.code.get_unzipped_code_location()
        base = {k: os.environ[k] for k in ("PATH", "LANG", "TMPDIR") if k in os.environ}
        env = {
            **base,
            **self.env,
            "LAMBDA_TASK_ROOT": str(code),
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.server.server_port}",
        }
        self.ready.clear()
        self.init_error = None
        self.process = subprocess.Popen(
            [os.environ.get("LAMBDA_PROCESS_NODE", "node"), str(BOOTSTRAP)],
            cwd=str(code),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # in LocalStack's own process group: who ends that ends all functions, hanging ones too
        )
        threading.Thread(target=self._read_output, args=(self.process,), daemon=True).start()
        while not self.ready.wait(0.05):
            if self.process.poll() is not None:
                raise RuntimeError(f"function process ended during init: {self.get_logs()[-500:]}")
        if self.init_error:
            raise RuntimeError(f"init error: {self.init_error.decode()[:500]}")

    def _read_output(self, process) -> None:
        for raw in process.stdout:
            line = raw.decode(errors="replace").rstrip("\n")
            self.lines.append(line)
            LOG.debug("[lambda %s] %s", self.function_version.id.function_name, line)

    def _kill(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(5)

    def stop(self) -> None:
        self.pending.put(None)
        self._kill()
        if self.server:
            self.server.shutdown()
            self.server.server_close()

    def get_logs(self) -> str:
        return "\n".join(self.lines)

    def invoke(self, payload: dict) -> InvocationResult:
        if self.process is None or self.process.poll() is not None:
            self._spawn()
        request_id = payload["invoke-id"]
        timeout = self.function_version.config.timeout
        mark = len(self.lines)
        begin = time.time()
        self.pending.put(
            (
                {
                    "Lambda-Runtime-Aws-Request-Id": request_id,
                    "Lambda-Runtime-Deadline-Ms": str(int((begin + timeout) * 1000)),
                    "Lambda-Runtime-Invoked-Function-Arn": payload["invoked-function-arn"],
                    "Lambda-Runtime-Trace-Id": payload.get("trace-id", ""),
                    "Content-Type": "application/json",
                },
                payload["payload"].encode(),
            )
        )
        body, is_error = None, True
        while body is None:
            left = begin + timeout - time.time()
            try:
                _id, body, is_error = self.done.get(timeout=max(0.001, min(left, 0.1)))
            except queue.Empty:
                if left <= 0:
                    self._kill()
                    body = json.dumps(
                        {"errorType": "Sandbox.Timedout", "errorMessage": f"RequestId: {request_id} Error: Task timed out after {timeout}.00 seconds"}
                    ).encode()
                elif self.process.poll() is not None:
                    body = json.dumps(
                        {"errorType": "Runtime.ExitError", "errorMessage": f"RequestId: {request_id} Error: Runtime exited with error: exit status {self.process.returncode}"}
                    ).encode()
        ms = (time.time() - begin) * 1000
        time.sleep(0.01)  # let the last output lines arrive
        out = [f"START RequestId: {request_id} Version: {self.function_version.id.qualifier}", *self.lines[mark:], f"END RequestId: {request_id}", f"REPORT RequestId: {request_id}\tDuration: {ms:.2f} ms"]
        return InvocationResult(request_id=request_id, payload=body, is_error=is_error, logs="\n".join(out) + "\n")
