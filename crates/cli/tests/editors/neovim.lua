-- What a user does in Neovim with contrib/editors/foldback.lua, and what must be seen then. Exits with 1 where it is not.
local function wait(what, is_seen)
  if not vim.wait(60000, is_seen, 50) then
    io.stdout:write("not seen: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

local function lens(title)
  return function()
    return vim.iter(vim.lsp.codelens.get(0)):any(function(lens) return lens.command.title:find(title, 1, true) end)
  end
end

vim.cmd("edit wrong.c")
wait("the server", function() return #vim.lsp.get_clients({ bufnr = 0, name = "foldback" }) == 1 end)
wait("a lens", lens("verify this function"))
vim.cmd("silent write")
wait("a finding", function() return #vim.diagnostic.get(0) > 0 end)
local finding = vim.diagnostic.get(0)[1]
assert(finding.lnum == 11 and finding.message:find("n != 700 (where n = 700)", 1, true), finding.message)
assert(#finding.user_data.lsp.relatedInformation > 0, "no steps")
wait("the execution's lens", lens("show the execution"))

vim.api.nvim_buf_set_lines(0, 11, 12, false, {})
vim.cmd("silent write")
wait("no finding", function() return #vim.diagnostic.get(0) == 0 end)
wait("an invariant", function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
local hint = vim.lsp.inlay_hint.get({ bufnr = 0 })[1].inlay_hint
assert(hint.position.line == 8 and vim.startswith(hint.label, "invariant: "), vim.inspect(hint))

wait("the verdict", lens("true"))

-- The key for the lens of the line: the function is verified once more.
local begun = 0
vim.api.nvim_create_autocmd("LspProgress", { pattern = "begin", callback = function() begun = begun + 1 end })
vim.api.nvim_win_set_cursor(0, { 5, 0 })
vim.fn.maparg("\\v", "n", false, true).callback()
wait("progress", function() return begun > 0 end)
io.stdout:write("all was seen\n")
vim.cmd("qall!")
