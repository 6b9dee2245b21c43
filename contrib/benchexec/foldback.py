"""BenchExec's view of foldback: how it is called and what its output means."""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import ToolNotFoundException
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """foldback verifies C programs; with a witness among the options of the task it validates that."""

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("foldback")
        except ToolNotFoundException:
            return tool_locator.find_executable("foldback", subdir="target/release")

    def name(self):
        return "foldback"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="foldback")

    def cmdline(self, executable, options, task, rlimits):
        command = options[0] if options and not options[0].startswith("-") else "verify"
        rest = options[1:] if options and options[0] == command else list(options)
        arguments = [executable, command]
        files = list(task.input_files)
        if command == "check-witness":
            wanted = (task.options or {}).get("witness_input_file")
            witness = [f for f in files if wanted and f.endswith(wanted)] or [f for f in files if f.endswith(".yml")]
            if witness:
                arguments.append(witness[0])
                files.remove(witness[0])
        if task.property_file:
            arguments += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if data_model and "--data-model" not in rest:
            arguments += ["--data-model", data_model]
        # A little less than the limit: an answer that is late is none.
        if rlimits.cputime and "--time-limit" not in rest:
            arguments += ["--time-limit", f"{max(1, rlimits.cputime * 19 // 20)}s"]
        return arguments + rest + files

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            found = re.match(r"RESULT: ([a-z]+)(?:\((.*)\))?\s*$", line)
            if found:
                return self._status(found.group(1), found.group(2))
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + "(input)"
        return result.RESULT_ERROR

    @staticmethod
    def _status(verdict, detail):
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        if verdict == "false":
            parts = {
                "unreach-call": result.RESULT_FALSE_REACH,
                "valid-deref": result.RESULT_FALSE_DEREF,
                "valid-free": result.RESULT_FALSE_FREE,
                "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
                "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
                "no-overflow": result.RESULT_FALSE_OVERFLOW,
                "termination": result.RESULT_FALSE_TERMINATION,
            }
            return parts.get(detail, result.RESULT_FALSE_PROP)
        if verdict in ("confirmed", "rejected"):
            return result.RESULT_DONE + f"({verdict})"
        return result.RESULT_UNKNOWN + (f"({detail})" if detail else "")
