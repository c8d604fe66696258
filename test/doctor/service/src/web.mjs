throw new Error('only consumers are imported')
