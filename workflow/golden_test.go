package workflow_test

const goldenDraw = ""
