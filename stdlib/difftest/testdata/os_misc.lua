print(type(os.time()), type(os.clock())) 

print(os.date("!%Y", 0), os.date("!%B", 86400 * 40)) print(pcall(os.date, "!%Y", {})) print(os.time({year = 1970, month = 1, day = 2, hour = 0})) print(os.time({year = 2038, month = 1, day = 19, hour = 3, min = 14, sec = 7, isdst = false})) print(os.difftime(5, 3), pcall(os.difftime)) print(pcall(os.difftime, "x", 1))
