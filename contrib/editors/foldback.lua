-- Neovim 0.11 and later: put this into init.lua, or into ~/.config/nvim/lua and `require` it.
vim.lsp.config("foldback", {
  cmd = { "foldback", "lsp" },
  filetypes = { "c" },
  root_markers = { "foldback.toml", ".git" },
  init_options = { flags = { "--time-limit", "20s" } },
})
vim.lsp.enable("foldback")

vim.api.nvim_create_autocmd("LspAttach", {
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if not client or client.name ~= "foldback" then
      return
    end
    vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    vim.lsp.codelens.refresh({ bufnr = event.buf })
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
      buffer = event.buf,
      callback = function() vim.lsp.codelens.refresh({ bufnr = event.buf }) end,
    })
    -- "verify this function" and "show the execution" on the line of the cursor.
    vim.keymap.set("n", "<leader>v", vim.lsp.codelens.run, { buffer = event.buf })
  end,
})
