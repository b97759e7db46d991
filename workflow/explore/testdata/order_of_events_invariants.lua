return {
  ["who has withdrawn is not paid"] = function(path)
    local withdrawn
    for _, signal in ipairs(path.signals) do
      if signal.name == "withdraw" then withdrawn = withdrawn or signal end
    end
    for _, call in ipairs(path:calls("pay_out")) do
      if withdrawn and withdrawn.step < call.step then
        error("paid out at step " .. call.step .. ", withdrawn at step " .. withdrawn.step)
      end
    end
  end,
}
