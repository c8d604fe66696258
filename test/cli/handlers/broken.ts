throw new Error('no database configured')
