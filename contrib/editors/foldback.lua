-- Neovim 0.11 and later: put this into init.lua, or into ~/.config/nvim/lua and `require` it.
local function refresh_lenses(buffer)
  vim.lsp.codelens.refresh({ bufnr = buffer })
end

vim.lsp.config("foldback", {
  cmd = { "foldback", "lsp" },
  filetypes = { "c" },
  root_markers = { "foldback.toml", ".git" },
  init_options = { flags = { "--time-limit", "20s" } },
  -- An answer changes the lenses: the verdict, "show the execution".
  capabilities = { workspace = { codeLens = { refreshSupport = true } } },
  handlers = {
    ["workspace/codeLens/refresh"] = function(_, _, context)
      local client = vim.lsp.get_client_by_id(context.client_id)
      for buffer in pairs(client and client.attached_buffers or {}) do
        refresh_lenses(buffer)
      end
      return vim.NIL
    end,
  },
})
vim.lsp.enable("foldback")

vim.api.nvim_create_autocmd("LspAttach", {
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if not client or client.name ~= "foldback" then
      return
    end
    vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    refresh_lenses(event.buf)
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave" }, {
      buffer = event.buf,
      callback = function() refresh_lenses(event.buf) end,
    })
    -- "verify this function" and "show the execution" on the line of the cursor.
    vim.keymap.set("n", "<leader>v", vim.lsp.codelens.run, { buffer = event.buf })
  end,
})
