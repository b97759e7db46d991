local flow = require "flow"
return flow.activity("charge")():await()
